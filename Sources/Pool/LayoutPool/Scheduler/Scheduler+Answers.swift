/// What workers say of their jobs.
extension Scheduler {
  func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let job = jobs[job], let run = job.run(on: worker, attempt) else { return }
    job.runs[run].isStarted = true
  }

  func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, _ duration: UInt64) {
    guard let worker = workers[worker] else { return }
    // A worker's word for how long it took counts as far as the clock bears it out.
    let longest = now - worker.since + Self.longestStep
    release(job, attempt, from: worker)
    guard let job = jobs[job], job.run(on: worker.id, attempt) != nil else { return }
    learn(job, min(duration, longest))
    end(job)
  }

  /// Its results are there. What workers still do of it comes too late.
  func end(_ job: Job) {
    job.runs.removeAll()
    job.enter(.done)
    job.batch.finished[job.slice.firstRow] = job.id
    deliver(job.batch)
  }

  func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let worker = workers[worker] else { return }
    release(job, attempt, from: worker)
    guard let job = jobs[job], job.run(on: worker.id, attempt) != nil else { return }
    job.runs.removeAll { $0.worker == worker.id }
    stragglers.mayBeMore = true
    if job.runs.isEmpty { requeue([job]) }
  }

  private func learn(_ job: Job, _ duration: UInt64) {
    guard job.slice.bytes > 0 else { return }
    let cost = Double(duration) / Double(job.slice.bytes)
    job.batch.cost = job.batch.cost.map { $0 * 0.7 + cost * 0.3 } ?? cost
  }
}
