/// The deadlines of workers.
extension Scheduler {
  /// Returns how long a job may take, in nanoseconds.
  public func deadline(of job: JobID) -> UInt64 { state.jobs[job].map { deadline(of: $0) } ?? leastDeadline }

  /// Jobs with a longer expected duration are retried in parts, so that a wrong measurement causes only a short delay.
  func deadline(of job: Job) -> UInt64 {
    let expected = (job.expectedDuration ?? 0) * Self.deadlineFactor
    return UInt64(min(max(Double(leastDeadline), expected), Double(leastDeadline) * Self.longestDeadline))
  }

  /// Removes the workers that exceed a deadline: they are stopped, disconnected, or execute a row that never ends.
  mutating func expireWorkers() {
    for worker in state.workers.filter({ isOverdue($0.value) }).keys.sorted() {
      state.effects.append(.expire(worker))
      removeWorker(worker)
    }
  }

  /// A worker ends itself at the deadline if it can, so this limit is half as long again. A worker that asks for further parts of
  /// a program is not overdue.
  private func isOverdue(_ worker: Worker) -> Bool {
    guard let first = worker.state.jobs.first else { return false }
    return state.now - worker.begin(of: first) > deadline(of: first.job) / 2 * 3
  }
}
