/// What workers report of their jobs.
extension Scheduler {
  func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let job = state.jobs[job], let run = job.run(on: worker, attempt) else { return }
    job.state.runs[run].isStarted = true
    if let worker = state.workers[worker], worker.state.jobs.first?.job === job { worker.state.since = state.now }
  }

  /// A worker shows that it waits for its next job to arrive.
  func noteWaiting(_ worker: WorkerID) { state.workers[worker]?.state.waitedAt = state.now }

  func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, duration: UInt64, columnBytes: Int) {
    guard let worker = state.workers[worker] else { return }
    // The duration that a worker reports counts as far as the clock confirms it.
    let longest = state.now - worker.state.since + Self.longestStep
    release(job, attempt, from: worker)
    guard let job = state.jobs[job], job.run(on: worker.id, attempt) != nil else { return }
    worker.state.provenFor = job.batch.id
    if job.isProbe { return forget(job) }
    learn(job, min(duration, longest), columnBytes)
    end(job)
  }

  /// Ends a job whose results are there. Copies of it that are still on workers are ignored from now on.
  func end(_ job: Job) {
    job.state.runs.removeAll()
    job.enter(.done)
    job.batch.state.finished[job.slice.firstRow] = job.id
    deliver(job.batch)
  }

  func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let worker = state.workers[worker] else { return }
    release(job, attempt, from: worker)
    guard let job = state.jobs[job], job.run(on: worker.id, attempt) != nil else { return }
    job.state.runs.removeAll { $0.worker == worker.id }
    state.stragglers.mayBeMore = true
    guard job.state.runs.isEmpty else { return }
    if job.isProbe { forget(job) } else { requeue([job]) }
  }

  /// Removes a job without a result of its own.
  func forget(_ job: Job) {
    job.enter(.done)
    state.jobs.removeValue(forKey: job.id)
    state.actions.append(.forget(job.id))
  }

  /// Removes a job from a worker's list. A worker begins the next of its jobs when one is over.
  func release(_ job: JobID, _ attempt: UInt32, from worker: Worker) {
    guard let index = worker.state.jobs.firstIndex(where: { $0.job.id == job && $0.attempt == attempt }) else {
      return
    }
    worker.state.jobs.remove(at: index)
    if index == 0 { worker.state.since = state.now }
    state.readyWorkers.insert(worker)
  }

  private func learn(_ job: Job, _ duration: UInt64, _ columnBytes: Int) {
    guard job.slice.bytes > 0 else { return }
    let cost = Double(duration) / Double(job.slice.bytes)
    job.batch.state.cost = job.batch.state.cost.map { $0 * 0.7 + cost * 0.3 } ?? cost
    let growth = Double(columnBytes) / Double(job.slice.bytes)
    job.batch.state.growth = max(job.batch.state.growth * 0.7 + growth * 0.3, min(growth, 1))
  }
}
