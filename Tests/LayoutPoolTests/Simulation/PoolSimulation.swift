import GalleyTestSupport
import SeededRandom

@testable import LayoutPool

/// A pool in miniature: clients, workers and a network do to a `Scheduler` whatever a seed says.
///
/// Every step is one move of somebody, drawn from those that are possible: messages of different peers overtake each
/// other, those of one connection stay in order. Only so many faults happen, so that every batch must come to its end.
final class PoolSimulation {
  /// Steps after which a run counts as stuck.
  private static let maxSteps = 20_000
  /// Processes that are kept running.
  private static let workerCount = 3
  private static let second: UInt64 = 1_000_000_000

  /// Seconds a job may take.
  static let patience: UInt32 = 1

  var random: SplitMix
  var scheduler = Scheduler(patience: patience)
  /// What is to be done, in the order in which the scheduler said so.
  var actions: ArraySlice<SchedulerAction> = []
  var isActing = false
  var batches: [SimulatedBatch] = []
  var workers: [SimulatedWorker] = []
  var faults: SimulatedFaults
  /// Nanoseconds.
  var now: UInt64 = 0
  /// Whether jobs are short, so that workers have many of them.
  private let isQuick: Bool
  /// The most jobs that a worker had at a time, of those that answered.
  var mostAtHand = 0
  var nextName = 1

  // What the coordinator knows beside its scheduler.
  var workerIDs: [Int: WorkerID] = [:]
  var names: [WorkerID: Int] = [:]
  var nextWorker: WorkerID = 1
  var files: [JobID: SimulatedLines] = [:]
  var results: [JobID: [SimulatedRecord]] = [:]

  /// Rows that each worker was sent with no others in their job.
  var sentAlone: [WorkerID: [SimulatedLines]] = [:]
  /// Workers that went, or will, because of a row.
  var poisoned: Set<WorkerID> = []

  /// Whether a job or its answer may have been lost, so that only time shows that it will not be answered.
  var hasLosses = false

  /// What went wrong first.
  private(set) var flaw: String?
  /// What happened, if it is to be told.
  private(set) var trace: [String]?

  init(seed: UInt64, isTraced: Bool = false) {
    trace = isTraced ? [] : nil
    random = SplitMix(seed: seed)
    faults = SimulatedFaults(&random)
    isQuick = random.below(3) == 0
    for id in 1...BatchID(1 + random.below(3)) {
      let rows = UInt64(random.below(isQuick ? 60 : 16))
      var poisons: [UInt64: SimulatedPoison] = [:]
      for _ in 0..<max(0, random.below(5) - 2) where rows > 0 {
        poisons[UInt64(random.below(Int(rows)))] = random.below(4) == 0 ? .endless : .deadly
      }
      let cost = random.below(2) == 0 ? Double(random.below(longestJob)) / 100 : nil
      batches.append(
        SimulatedBatch(id: id, priority: Int32(random.below(2)), cost: cost, rows: rows, poisons: poisons))
    }
    for _ in 0..<Self.workerCount { addWorker() }
  }

  /// Nanoseconds that a job takes at most.
  var longestJob: Int { isQuick ? 200_000 : 20_000_000 }

  /// What went wrong with a seed, and how it came to that.
  static func trace(seed: UInt64) -> String {
    let again = PoolSimulation(seed: seed, isTraced: true)
    let flaw = again.run() ?? "nothing when it was run again"
    return "seed \(seed): \(flaw)\n" + (again.trace ?? []).joined(separator: "\n")
  }

  /// Plays until all is over and quiet; answers what went wrong.
  func run() -> String? {
    var steps = 0
    while flaw == nil && !(isOver && isQuiet) {
      guard steps < Self.maxSteps else { return "it does not end" }
      step()
      steps += 1
      checkThatNobodyIsIdle()
      checkThatCreditComesBack()
    }
    if flaw == nil { checkThatNothingIsLeft() }
    return flaw
  }

  func fail(_ reason: String) {
    note("FAILED: \(reason)")
    if flaw == nil { flaw = reason }
  }

  func note(_ event: @autoclosure () -> String) { trace?.append("\(now / 1_000_000) ms: " + event()) }

  func happens(oneIn count: Int) -> Bool { random.below(count) == 0 }

  // MARK: Moves

  private enum Move {
    case tick, fault
    case client(Int)
    case arrival(Int), work(Int), greeting(Int)
    /// The coordinator finds out that a worker's process has ended.
    case discovery(Int)
    case replacement(Int)
  }

  private func step() {
    let moves = possibleMoves()
    // A lot of time passes when nothing else can happen.
    guard !moves.isEmpty else { return pass(Self.second) }
    switch moves[random.below(moves.count)] {
    case .tick: pass(UInt64(random.below(300_000_000)))
    case .fault: commitFault()
    case .client(let batch): send(to: batch)
    case .arrival(let worker): receive(workers[worker].words.removeFirst(), from: workers[worker].name)
    case .work(let worker): work(worker)
    case .greeting(let worker): workers[worker].words.append(.hello)
    case .discovery(let worker):
      if let id = workerIDs[workers[worker].name] { remove(id) }
    case .replacement(let worker): replace(worker)
    }
  }

  private func possibleMoves() -> [Move] {
    var moves: [Move] = []
    if faults.left > 0 { moves.append(.fault) }
    for place in batches.indices where batches[place].hasMoreToSend { moves.append(.client(place)) }
    for place in workers.indices {
      let worker = workers[place]
      if !worker.words.isEmpty { moves.append(.arrival(place)) }
      let isKnown = workerIDs[worker.name] != nil
      if worker.canWork(at: now) {
        moves.append(.work(place))
      } else if !worker.isAlive {
        moves.append(.replacement(place))
        if isKnown { moves.append(.discovery(place)) }
      } else if !isKnown && worker.words.isEmpty {
        if worker.hangsUntil <= now { moves.append(.greeting(place)) }
        if worker.hangsUntil == .max { moves.append(.replacement(place)) }
      }
    }
    if !moves.isEmpty && happens(oneIn: 4) { moves.append(.tick) }
    return moves
  }

  private func pass(_ time: UInt64) {
    now += time
    handle(.tick(now: now))
  }

  func addWorker() {
    workers.append(SimulatedWorker(name: nextName))
    nextName += 1
  }

  /// Starts a process in the place of one that ended, now and then under its name.
  private func replace(_ worker: Int) {
    let name = happens(oneIn: 2) ? workers[worker].name : nextName
    nextName += 1
    workers[worker].restart(name: name)
  }

  // MARK: Clients

  /// A client opens its batch, or sends its next rows.
  private func send(to place: Int) {
    let batch = batches[place]
    guard batch.state == .open else {
      batches[place].state = .open
      return handle(.batchOpened(batch.id, priority: batch.priority, cost: batch.cost))
    }
    let rows = min(UInt64(random.below(isQuick ? 40 : 12)), batch.rows - batch.sentRows)
    batches[place].sentRows += rows
    batches[place].isComplete = batches[place].sentRows == batch.rows && (rows == 0 || happens(oneIn: 2))
    let jobs = cut(place, batch.sentRows..<batch.sentRows + rows)
    for (offset, job) in jobs.enumerated() { files[scheduler.nextJobID + UInt64(offset)] = job }
    handle(.jobsAdded(batch.id, jobs.map(\.slice), isLast: batches[place].isComplete))
  }

  /// Rows as jobs; those of which results are stored are cut as they were.
  func cut(_ place: Int, _ rows: Range<UInt64>) -> [SimulatedLines] {
    var jobs: [SimulatedLines] = []
    var row = rows.lowerBound
    while row < rows.upperBound {
      var end = row + UInt64(batches[place].stored[row]?.count ?? 1)
      if batches[place].stored[row] == nil {
        while end < rows.upperBound && batches[place].stored[end] == nil && !happens(oneIn: 5) { end += 1 }
      }
      jobs.append(SimulatedLines(batch: batches[place].id, firstRow: row, rows: UInt32(end - row)))
      row = end
    }
    return jobs
  }
}
