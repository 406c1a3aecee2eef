/// The coordinator's own worker processes: they are started, started again when they end, and ended when they do not register.
extension CoordinatorCore {
  mutating func startProcesses() {
    switch state.life {
    case .running, .draining: for _ in 0..<state.fleet.processesToStart(at: now) { emit(.startProcess) }
    case .lingering, .ended: break
    }
  }

  /// A process that cannot be started now may be started later, so that kept batches wait.
  mutating func noteFailedStart(_ reason: String) {
    state.fleet.noteFailedStart(at: now)
    log(.error, "\(reason); it is tried again")
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) where batch.isOpen {
      if !batch.isKept { fail(id, reason) } else if state.workers.isEmpty { sendWaiting(reason, batch) }
    }
  }

  mutating func noteEnd(of process: Int64, _ how: String) {
    log(.info, "worker process \(process) ended: \(how)")
    if let worker = state.workers.values.first(where: { $0.ownProcess == process }) { remove(worker) }
    if let reason = state.fleet.noteEnd(process, how: how, at: now) { failOpenBatches(reason) }
    startProcesses()
  }

  /// Ends the coordinator's own processes that run without having registered as workers.
  mutating func endAbsentProcesses() {
    for process in state.fleet.processesToEnd(at: runningTime) {
      log(.warning, "worker process \(process) does not register; it is ended, and another one is started")
      emit(.killProcess(process))
    }
  }

  /// Ends the process of a worker, if it is the coordinator's own.
  mutating func endProcess(of worker: WorkerConnection) {
    if let process = worker.ownProcess { emit(.killProcess(process)) }
  }
}
