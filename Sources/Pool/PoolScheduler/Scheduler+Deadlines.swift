/// Which worker is overdue.
extension Scheduler {
  /// Returns how long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 { state.jobs[job].map { deadline(of: $0) } ?? leastDeadline }

  func deadline(of job: Job) -> UInt64 {
    max(leastDeadline, UInt64(min((job.expectedDuration ?? 0) * Self.deadlineFactor, 1e18)))
  }

  /// Removes the workers that are stopped, disconnected or caught in a row that never ends.
  func expireWorkers(at time: UInt64) {
    if let lastTick = state.lastTick, time > lastTick { state.now += min(time - lastTick, Self.longestStep) }
    state.lastTick = max(time, state.lastTick ?? 0)
    for worker in state.workers.filter({ isOverdue($0.value) }).keys.sorted() {
      state.actions.append(.expire(worker))
      removeWorker(worker)
    }
  }

  /// A worker ends itself at the deadline if it can, so it gets half as much time again.
  private func isOverdue(_ worker: Worker) -> Bool {
    guard let job = worker.state.jobs.first?.job else { return false }
    return state.now - worker.state.since > deadline(of: job) / 2 * 3
  }
}
