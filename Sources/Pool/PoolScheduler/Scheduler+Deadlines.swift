/// Which worker is overdue.
extension Scheduler {
  /// Returns how long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 { state.jobs[job].map { deadline(of: $0) } ?? leastDeadline }

  /// A job that was expected to take longer is retried in parts, so that a wrong measurement delays nothing for long.
  func deadline(of job: Job) -> UInt64 {
    let expected = (job.expectedDuration ?? 0) * Self.deadlineFactor
    return UInt64(min(max(Double(leastDeadline), expected), Double(leastDeadline) * Self.longestDeadline))
  }

  /// Removes the workers that are stopped, disconnected or caught in a row that never ends.
  mutating func expireWorkers() {
    for worker in state.workers.filter({ isOverdue($0.value) }).keys.sorted() {
      state.effects.append(.expire(worker))
      removeWorker(worker)
    }
  }

  /// A worker ends itself at the deadline if it can, so it gets half as much time again. One that waits for its job to
  /// arrive, and reports that, is not overdue.
  private func isOverdue(_ worker: Worker) -> Bool {
    guard let first = worker.state.jobs.first else { return false }
    return state.now - worker.begin(of: first) > deadline(of: first.job) / 2 * 3
  }
}
