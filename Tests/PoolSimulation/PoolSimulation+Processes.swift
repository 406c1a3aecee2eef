import Buffers
import Hashing
import PoolCoordinatorCore
import PoolMemory
import PoolProtocol
import PoolScheduler
import PoolWorkerCore

/// A coordinator process: the product's core.
final class SimulatedCoordinator {
  var core: CoordinatorCore

  init(_ core: consuming CoordinatorCore) { self.core = core }
}

/// The coordinator and the workers of a simulation.
extension PoolSimulation {
  /// Nanoseconds for which a worker is refused after it was distrusted.
  private static let distrustTime: UInt64 = 600 * second

  // MARK: Coordinator

  func startCoordinator() {
    coordinatorProcess = newProcess()
    coordinatorHasEnded = false
    counts = SimulatedCounts()
    coordinator = SimulatedCoordinator(
      CoordinatorCore(configuration, memory: memory(of: coordinatorProcess), format: .simulated, startedAt: time))
    if configuration.keepsBatches { report(.recovered(disk.recover())) }
    report(.tick)
  }

  var time: EventTime {
    EventTime(monotonic: now + clockOffset, sinceEpoch: (now + clockOffset) / 1_000_000 + 1_000_000)
  }

  /// Reports an event to the coordinator, and does what it wants done.
  func report(_ event: CoordinatorEvent) {
    events.append(event)
    guard events.count == 1 else { return }
    while let event = events.first, let coordinator {
      effects.removeAll(keepingCapacity: true)
      coordinator.core.handle(event, at: time, into: &effects)
      coordinator.core.checkInvariants { fail($0) }
      for effect in effects { perform(effect) }
      if !events.isEmpty { events.removeFirst() }
    }
    events = []
  }

  private func perform(_ effect: CoordinatorEffect) {
    counts.note(effect)
    switch effect {
    case .sendToWorker(let message, let parts, let identity):
      if case .job(let job) = message { noteSent(job, to: identity) }
      checkTrust(message, identity)
      send(.worker(message), parts, to: identity)
    case .sendToClient(let message, let parts, let identity):
      send(.client(message), parts, to: identity)
    case .journal(let effect): if let event = disk.begin(effect) { events.append(event) }
    case .startProcess:
      let worker = addWorker(isOwn: true)
      events.append(.processStarted(worker.process, session: worker.session))
    case .killProcess(let process):
      guard let (peer, worker) = workers.first(where: { $0.value.process == process }) else { return }
      if !worker.isOwn { fail("the coordinator kills process \(process), which it has not started") }
      endWorker(peer, losing: 0)
    case .log(let level, let text): note("coordinator, \(level): \(text)")
    case .end: coordinatorHasEnded = true
    }
  }

  private func send(_ message: MessageToPeer, _ parts: [OwnedBytes], to identity: PeerIdentity) {
    guard let connection = connections[identity] else { return events.append(.unreachable(identity)) }
    if case .client(.rows(_, let runs)) = message { checkThatJournalHas(runs, of: connection.peer) }
    if case .worker(.ping) = message {
    } else if case .client(.ping) = message {
    } else {
      note("coordinator to \(connection.peer): \(String("\(message)".prefix(120)))")
    }
    // What is sent to a peer that has gone is lost, until that is noticed.
    if connection.isOpen { connection.toPeer.append((message, parts)) }
  }

  /// A worker that was distrusted is not registered again, whatever process and connection it has by now.
  private func checkTrust(_ message: MessageToWorker, _ identity: PeerIdentity) {
    guard connections[identity]?.holder == SimulatedWorker.keyOfFaultyMachine else { return }
    switch message {
    case .welcome where time.monotonic < distrustedUntil: fail("a worker that was distrusted is registered again")
    case .refused(let reason) where distrustedUntil <= time.monotonic && reason.contains("damaged or invalid"):
      distrustedUntil = time.monotonic + Self.distrustTime
    default: break
    }
  }

  /// A client gets no results that a restart of the coordinator could lose.
  private func checkThatJournalHas(_ runs: [ResultRun<SharedRange?>], of peer: Int) {
    guard configuration.keepsBatches, let client = clients[peer] else { return }
    let batch = batches[client.batch]
    for run in runs where !disk.hasResults(of: batch.description.variants, firstRow: run.firstRow) {
      fail("a client of batch \(batch.number) gets row \(run.firstRow) before the journal has it")
    }
  }

  /// Remembers the rows that a worker has with no others in their job: its end by chance counts for them.
  private func noteSent(_ job: MessageToWorker.Job, to identity: PeerIdentity) {
    guard job.chunk.rows == 1, let batch = batch(of: job) else { return }
    sentAlone[identity, default: []].append((batch, job.chunk.firstRow))
    if unlucky.contains(identity) { batches[batch].misfortunes[job.chunk.firstRow, default: 0] += 1 }
  }

  /// Returns the batch of a job, which only its variants name.
  private func batch(of job: MessageToWorker.Job) -> Int? {
    batches.firstIndex { $0.description.variants == job.setup.variants }
  }

  /// The worker of a connection ends, or is given up, by chance: it counts for the rows that it had alone.
  func noteMisfortune(_ identity: PeerIdentity?) {
    guard let identity, unlucky.insert(identity).inserted else { return }
    for (batch, row) in sentAlone[identity] ?? [] { batches[batch].misfortunes[row, default: 0] += 1 }
  }

  // MARK: Workers

  @discardableResult
  func addWorker(isOwn: Bool, isOnFaultyMachine: Bool = false) -> SimulatedWorker {
    lastPeer += 1
    let process = newProcess()
    if happens(oneIn: 8) { machine.setRemote(process) }
    // A worker on another machine can have the same number of its process as one of the coordinator's own.
    let others = workers.values.filter(\.isOwn).map(\.process).sorted()
    let stated = !isOwn && happens(oneIn: 4) ? others.randomElement(using: &random) : nil
    let worker = SimulatedWorker(
      process, statedProcess: stated ?? process, host: isOnFaultyMachine ? "faulty" : "",
      isOnFaultyMachine: isOnFaultyMachine, memory: memory(of: process), isOwn: isOwn, at: now)
    worker.connection = connect(lastPeer, worker.holder)
    workers[lastPeer] = worker
    report(.started, toWorker: lastPeer)
    return worker
  }

  /// Reports an event to a worker and carries out its effects.
  func report(_ event: WorkerEvent, toWorker peer: Int) {
    guard let worker = workers[peer] else { return }
    var effects: [WorkerEffect] = []
    worker.core.handle(event, at: EventTime(monotonic: now), into: &effects)
    worker.core.checkInvariants { fail($0) }
    for effect in effects {
      guard let worker = workers[peer], worker.isAlive else { return }
      switch effect {
      case .send(let message, let parts): send(message, parts, worker)
      case .load(let id, let parts):
        if SHA256.hash(parts) != id { fail("a worker has a program that was changed on its way") }
        worker.programs.insert(id)
      case .unload(let id): worker.programs.remove(id)
      case .layOut(let job, let lines):
        guard worker.programs.contains(job.setup.program) else { return fail("a program is not loaded") }
        worker.order = (job, lines)
        worker.delay = worker.slowness
      case .log: break
      case .end(let end):
        note("worker \(peer) ends: \(end)")
        endWorker(peer, losing: 0)
      }
    }
  }

  private func send(_ message: WorkerMessage, _ parts: [OwnedBytes], _ worker: SimulatedWorker) {
    note("worker \(worker.process): \(String("\(message)".prefix(120)))")
    let lastingFault = worker.isOnFaultyMachine ? WorkerFault.flippedBit : nil
    guard case .result(var result) = message, let fault = worker.fault ?? lastingFault else {
      worker.connection?.toCoordinator.append((.worker(message), parts))
      return
    }
    worker.fault = nil
    worker.hasMisbehaved = true
    noteMisfortune(worker.connection?.identity)
    var parts = parts
    switch fault {
    case .tooManyRows: result.rows += 1
    case .malformedColumns:
      (result.columns, parts) = (nil, [OwnedBytes(copying: [1, 2, 3])])
      result.checksums = parts.map(\.checksum)
    case .flippedBit: (result.columns, parts) = (nil, flipped(columns(of: result, parts, worker)))
    case .absurdValue:
      parts = columns(of: result, parts, worker).map { part in
        OwnedBytes(count: part.count) { start in
          part.copy(to: start)
          if part.count > 0 { SimulatedRecord.writeAbsurdWidth(to: start) }
        }
      }
      (result.columns, result.checksums) = (nil, parts.map(\.checksum))
    case .missingVariant: (result.columns, parts) = (nil, [])
    case .otherAttempt: result.job.attempt += UInt32(1 + random.below(3))
    case .otherJob: (result.job.job, result.job.attempt) = (UInt64(random.below(100)), 1)
    case .longDuration: result.duration = .max
    case .tooLarge:
      // A row alone would be recorded as bad.
      if result.rows > 1 {
        worker.connection?.toCoordinator.append((.worker(.tooLarge(result.job)), []))
        return
      }
    case .sentTwice: worker.connection?.toCoordinator.append((.worker(.result(result)), parts))
    case .reportsDamage, .reportsMissingLines:
      let returned = WorkerMessage.missing(result.job, isInvisible: fault == .reportsMissingLines)
      worker.connection?.toCoordinator.append((.worker(returned), []))
      return
    case .reportsUnusableProgram:
      // A worker is believed until another one has laid out rows of the batch.
      if coordinator?.core.hasUsableProgram(job: result.job.job) == true {
        worker.connection?.toCoordinator.append((.worker(.failure(result.job, reason: "simulated")), []))
        return
      }
    }
    worker.connection?.toCoordinator.append((.worker(.result(result)), parts))
  }

  /// Returns a copy of the columns of a result, wherever they are.
  private func columns(
    of result: WorkerMessage.Result, _ parts: [OwnedBytes], _ worker: SimulatedWorker
  ) -> [OwnedBytes] {
    guard let range = result.columns else { return parts }
    return PeerMemory(range.memory, worker.memory)?.pieces(of: range) ?? []
  }

  /// Returns parts in which one bit differs.
  func flipped(_ parts: [OwnedBytes]) -> [OwnedBytes] {
    guard let index = parts.indices.filter({ parts[$0].count > 0 }).randomElement(using: &random) else { return parts }
    var flipped = parts
    let offset = random.below(parts[index].count)
    flipped[index] = OwnedBytes(count: parts[index].count) { start in
      parts[index].copy(to: start)
      let byte = start + offset
      byte.storeBytes(of: byte.load(as: UInt8.self) ^ 1 << UInt8(random.below(8)), as: UInt8.self)
    }
    return flipped
  }

  /// A worker gets on with its job, or ends it.
  func layOut(_ peer: Int) {
    guard let worker = workers[peer], let (job, lines) = worker.order else { return }
    if worker.delay > 0 {
      worker.delay -= 1
      return
    }
    guard let rows = SimulatedWorker.rows(of: job, lines) else {
      return fail("job \(job.reference.job) has other lines than its header says")
    }
    if worker.isUnfit {
      note("worker \(worker.process) ends at its first job")
      return endWorker(peer, losing: random.below(2))
    }
    if let poison = rows.lazy.compactMap(\.poison).first {
      note("worker \(worker.process) comes to a row that is \(poison)")
      return poison == .deadly ? endWorker(peer, losing: random.below(3)) : (worker.stoppedUntil = .max)
    }
    worker.order = nil
    let result = WorkerMessage.Result(
      job: job.reference, rows: UInt32(rows.count), duration: UInt64(random.below(longestJob)), cacheHitRate: 0.5)
    let event = WorkerEvent.laidOut(
      result, sizes: job.setup.variants.map { _ in rows.count * SimulatedRecord.size },
      write: { variant, start in
        for (index, row) in rows.enumerated() {
          SimulatedRecord(batch: row.batch, row: row.index, width: job.setup.variants[variant].width.bitPattern)
            .write(to: start + index * SimulatedRecord.size)
        }
      })
    report(event, toWorker: peer)
  }

  /// The process ends; so many of its last messages never leave it.
  func endWorker(_ peer: Int, losing unsent: Int) {
    guard let worker = workers[peer], worker.isAlive else { return }
    worker.isAlive = false
    worker.order = nil
    machine.end(worker.process)
    worker.connection?.end(losing: unsent)
    if worker.isOwn {
      endedProcesses.append(worker.process)
      workers[peer] = nil
    }
  }

  /// Starts a process in the place of one that ended or hangs.
  func replaceWorker(_ peer: Int) {
    if workers[peer]?.isAlive == true { endWorker(peer, losing: 0) }
    let last = workers.removeValue(forKey: peer)
    let next = addWorker(isOwn: false, isOnFaultyMachine: last?.isOnFaultyMachine == true)
    next.isUnfit = last?.isUnfit == true && !happens(oneIn: 4)
  }
}
