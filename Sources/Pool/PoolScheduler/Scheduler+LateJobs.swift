/// Jobs that take much longer than expected, because their workers are stopped or wait for a disk.
extension Scheduler {
  /// Lists the late jobs, and the jobs behind a late one on the same worker. The oldest are copied first.
  mutating func findLateJobs() {
    state.lateJobs = state.workers.values.filter { $0.isLate(at: state.now) }.flatMap { $0.state.jobs.map(\.job) }
      .filter { isLate($0) }.sorted { $0.id > $1.id }
  }

  /// Sends copies of late jobs to other workers before queued jobs, because results wait for them. The first result counts.
  mutating func copyLateJobs() {
    while let job = state.lateJobs.last {
      guard isLate(job) else {
        state.lateJobs.removeLast()
        continue
      }
      guard let worker = state.readyWorkers.popLeastBusy(at: state.now) else { return }
      state.lateJobs.removeLast()
      state.copies += 1
      send(job, to: worker)
    }
  }

  /// Whether only a late worker has the job.
  private func isLate(_ job: Job) -> Bool { !job.isProbe && onlyWorker(of: job)?.isLate(at: state.now) == true }

  /// Returns the worker of a job that may be sent to a second one; nil if it may not. A suspect job is executed by one worker at
  /// a time, because with two copies one could always continue, and the job would never be found to be the cause.
  func onlyWorker(of job: Job) -> Worker? {
    guard job.state.phase == .running, job.state.runs.count == 1, !job.isSuspect else { return nil }
    return state.workers[job.state.runs[0].worker]
  }

  /// The nanoseconds for which a worker has been executing its job, and whether that is late; nil without a job.
  package func age(ofJobOn worker: WorkerID) -> (nanoseconds: UInt64, isLate: Bool)? {
    guard let worker = state.workers[worker], let first = worker.state.jobs.first else { return nil }
    return (state.now - worker.begin(of: first), worker.isLate(at: state.now))
  }
}
