@testable import LayoutPool

/// The part of the `Coordinator` that matters to the scheduler, move by move as there.
extension PoolSimulation {
  func handle(_ event: SchedulerEvent) {
    let new = scheduler.handle(event)
    for action in new { note("\(event) -> \(action)") }
    actions += new
    guard !isActing else { return }
    isActing = true
    defer { isActing = false }
    while let action = actions.popFirst() {
      switch action {
      case .send(let job, let attempt, let worker): send(job, attempt, to: worker)
      case .deliver(let batch, let job): deliver(job, of: batch)
      case .failRow(let batch, let job): failRow(job, of: batch)
      case .split(let job): split(job)
      case .expire(let worker): expire(worker)
      case .forget(let job):
        files.removeValue(forKey: job)
        results.removeValue(forKey: job)
      case .batchDone(let batch, let rows, _): end(batch, rows)
      }
    }
  }

  private func place(of batch: BatchID) -> Int { Int(batch) - 1 }

  // MARK: Words of workers

  func receive(_ word: SimulatedWord, from name: Int) {
    note("worker \(name): \(word)")
    if case .hello = word { return welcome(name) }
    guard let worker = workerIDs[name] else { return }
    switch word {
    case .hello: break
    case .started(let job, let attempt): handle(.jobStarted(worker, job, attempt: attempt))
    case .result(let job, let attempt, let records, let duration):
      take(records, job, attempt, duration, from: worker)
    case .missing(let job, let attempt): handle(.jobReturned(worker, job, attempt: attempt))
    case .goodbye: remove(worker, inGoodOrder: true)
    }
  }

  private func welcome(_ name: Int) {
    if let known = workerIDs[name] { remove(known) }
    let worker = nextWorker
    nextWorker += 1
    workerIDs[name] = worker
    names[worker] = name
    handle(.workerJoined(worker, credit: [1, 2, 3, 8][Int(worker % 4)]))
  }

  private func take(
    _ records: [SimulatedRecord]?, _ job: JobID, _ attempt: UInt32, _ duration: UInt64, from worker: WorkerID
  ) {
    if scheduler.isCurrent(worker, job, attempt: attempt), let lines = files[job] {
      guard let records, records.count == Int(lines.rows) else { return disconnect(worker) }
      store(records, job, lines)
    }
    let before = scheduler.workers[worker]?.jobs.count ?? 0
    handle(.jobDone(worker, job, attempt: attempt, duration: duration))
    mostAtHand = max(mostAtHand, before)
    if let known = scheduler.workers[worker], known.jobs.count < before { checkThatItHasEnough(known) }
  }

  private func store(_ records: [SimulatedRecord], _ job: JobID, _ lines: SimulatedLines) {
    results[job] = records
    batches[place(of: lines.batch)].stored[lines.firstRow] = records
  }

  // MARK: Actions

  private func send(_ job: JobID, _ attempt: UInt32, to worker: WorkerID) {
    guard let lines = files[job], scheduler.isCurrent(worker, job, attempt: attempt), let name = names[worker] else {
      return handle(.jobReturned(worker, job, attempt: attempt))
    }
    if batches[place(of: lines.batch)].stored[lines.firstRow] != nil { fail("job \(job) is done again") }
    guard let peer = workers.firstIndex(where: { $0.name == name }), workers[peer].isAlive || happens(oneIn: 2) else {
      return remove(worker)
    }
    if lines.rows == 1 { sentAlone[worker, default: []].append(lines) }
    workers[peer].orders.append(SimulatedOrder(job: job, attempt: attempt, lines: lines))
  }

  private func deliver(_ job: JobID, of batch: BatchID) {
    guard let lines = files[job], let records = results[job] else { return fail("job \(job) has no results") }
    if !batches[place(of: batch)].take(records, firstRow: lines.firstRow) {
      fail("job \(job) of batch \(batch) is delivered out of order")
    }
  }

  private func failRow(_ job: JobID, of batch: BatchID) {
    guard let lines = files[job], lines.rows == 1 else { return fail("job \(job) is given up with several rows") }
    store([.lost], job, lines)
  }

  private func split(_ job: JobID) {
    guard let lines = files[job], lines.rows > 1 else { return }
    let half = lines.rows / 2
    let first = SimulatedLines(batch: lines.batch, firstRow: lines.firstRow, rows: half)
    let second = SimulatedLines(
      batch: lines.batch, firstRow: lines.firstRow + UInt64(half), rows: lines.rows - half)
    let next = scheduler.nextJobID
    files[next] = first
    files[next + 1] = second
    handle(.jobSplit(job, first.slice, second.slice))
  }

  private func end(_ batch: BatchID, _ rows: UInt64) {
    let place = place(of: batch)
    batches[place].state = .done
    batches[place].stored = [:]
    if let flaw = batches[place].flaw ?? (rows == batches[place].rows ? nil : "batch \(batch) ends too early") {
      fail(flaw)
    }
  }

  func cancel(_ batch: BatchID) {
    batches[place(of: batch)].state = .cancelled
    batches[place(of: batch)].stored = [:]
    handle(.batchCancelled(batch))
  }

  // MARK: Workers that go

  func remove(_ worker: WorkerID, inGoodOrder: Bool = false) {
    guard let name = names.removeValue(forKey: worker) else { return }
    workerIDs.removeValue(forKey: name)
    if inGoodOrder { sentAlone[worker] = nil } else { noteMisfortunes(worker, name) }
    handle(.workerLeft(worker, inGoodOrder: inGoodOrder))
  }

  private func disconnect(_ worker: WorkerID) {
    if let name = names[worker], happens(oneIn: 2) { kill(name) }
    remove(worker)
  }

  private func expire(_ worker: WorkerID) {
    guard let name = names.removeValue(forKey: worker) else { return }
    workerIDs.removeValue(forKey: name)
    noteMisfortunes(worker, name)
    // Only a process of its own can be ended; others may go on, or be stopped for ever.
    if happens(oneIn: 2) || workers.contains(where: { $0.name == name && $0.hangsUntil == .max }) { kill(name) }
  }

  private func kill(_ name: Int) {
    guard let worker = workers.firstIndex(where: { $0.name == name && $0.isAlive }) else { return }
    workers[worker].die(losing: random.below(3))
  }

  // MARK: Restart

  /// The coordinator dies, and with it all connections; another goes on with the journals.
  func restart() {
    note("the coordinator restarts")
    scheduler = Scheduler(patience: Self.patience)
    (workerIDs, names, files, results, sentAlone) = ([:], [:], [:], [:], [:])
    for worker in workers.indices {
      workers[worker].name = nextName
      nextName += 1
      // What a worker says of jobs of the coordinator before, it says before it greets this one, which ignores it.
      workers[worker].current = nil
      workers[worker].orders.removeAll()
      workers[worker].words.removeAll()
    }
    for (place, batch) in batches.enumerated() where batch.state == .open {
      handle(.batchOpened(batch.id, priority: batch.priority, cost: batch.cost))
      let jobs = cut(place, 0..<batch.sentRows)
      for (offset, job) in jobs.enumerated() {
        let number = scheduler.nextJobID + UInt64(offset)
        files[number] = job
        results[number] = batch.stored[job.firstRow]
      }
      let isDone = jobs.map { batch.stored[$0.firstRow] != nil }
      handle(.jobsAdded(batch.id, jobs.map(\.slice), isDone: isDone, isLast: batch.isComplete))
    }
  }
}
