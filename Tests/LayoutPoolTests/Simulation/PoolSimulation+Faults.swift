import GalleyTestSupport
import SeededRandom

@testable import LayoutPool

/// What goes wrong in a run: some kinds of faults, and so many of them.
struct SimulatedFaults {
  enum Kind: CaseIterable {
    case death, hang, slowness, lie, lackOfProgram
    /// A worker says goodbye, one more comes, or one greets although it is known.
    case farewell, newcomer, greeting
    /// Messages come twice or not at all, or their connection ends and the worker comes back with another.
    case duplicate, drop, cut
    /// The coordinator dies, or stands still for long.
    case restart, pause
    case cancelling

    /// Whether a job may get lost, or its answer.
    var loses: Bool {
      switch self {
      case .death, .hang, .lie, .farewell, .drop, .cut: true
      case .slowness, .lackOfProgram, .newcomer, .greeting, .duplicate, .restart, .pause, .cancelling: false
      }
    }
  }

  var left: Int
  let kinds: [Kind]

  init(_ random: inout SplitMix) {
    var kinds: [Kind] = []
    for kind in Kind.allCases where random.below(2) == 0 { kinds.append(kind) }
    self.kinds = kinds
    left = kinds.isEmpty ? 0 : random.below(16)
  }
}

extension PoolSimulation {
  func commitFault() {
    faults.left -= 1
    let kind = faults.kinds[random.below(faults.kinds.count)]
    let worker = random.below(workers.count)
    note("fault: \(kind), worker \(workers[worker].name)")
    if kind.loses { hasLosses = true }
    switch kind {
    case .death: workers[worker].die(losing: random.below(3))
    case .hang: workers[worker].hangsUntil = happens(oneIn: 2) ? .max : now + UInt64(random.below(5_000_000_000))
    case .slowness: workers[worker].slowness = random.below(8)
    case .lie: workers[worker].lie = SimulatedLie.allCases[random.below(SimulatedLie.allCases.count)]
    case .lackOfProgram: workers[worker].lacksProgram = true
    case .farewell:
      guard workers[worker].isAlive else { return }
      workers[worker].words.append(.goodbye)
      workers[worker].die(losing: 0)
    case .newcomer: addWorker()
    case .greeting: if workers[worker].isAlive { workers[worker].words.append(.hello) }
    case .duplicate: duplicate(worker)
    case .drop: drop(worker)
    case .cut: cutOff(worker)
    case .restart: restart()
    case .pause:
      now += 60_000_000_000
      handle(.tick(now: now))
    case .cancelling:
      let batch = batches[random.below(batches.count)]
      if batch.state == .open { cancel(batch.id) }
    }
  }

  private func duplicate(_ worker: Int) {
    if let word = workers[worker].words.randomElement(using: &random) { workers[worker].words.append(word) }
    if let order = workers[worker].orders.randomElement(using: &random) { workers[worker].orders.append(order) }
  }

  private func drop(_ worker: Int) {
    if happens(oneIn: 2) {
      guard let place = workers[worker].words.indices.randomElement(using: &random) else { return }
      workers[worker].words.remove(at: place)
    } else {
      guard let place = workers[worker].orders.indices.randomElement(using: &random) else { return }
      workers[worker].orders.remove(at: place)
    }
  }

  /// What was under way is lost. The coordinator finds out when it sends something, or when a job takes too long.
  private func cutOff(_ worker: Int) {
    guard workers[worker].isAlive else { return }
    workers[worker].name = nextName
    nextName += 1
    workers[worker].words.removeAll()
    if happens(oneIn: 2) { workers[worker].orders.removeAll() }
  }
}
