/// What workers say of their jobs.
extension Scheduler {
  mutating func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let run = jobs[job]?.runs.firstIndex(where: { $0.worker == worker && $0.attempt == attempt }) else { return }
    jobs[job]?.runs[run].isStarted = true
  }

  mutating func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, _ duration: UInt64) {
    let isCurrent = isCurrent(worker, job, attempt: attempt)
    // A worker's word for how long it took counts as far as the clock bears it out.
    let longest = now - (workers[worker]?.since ?? now) + Self.longestStep
    release(job, attempt, from: worker)
    guard isCurrent, let known = jobs[job] else { return }
    // What another worker still does of it comes too late.
    jobs[job]?.runs.removeAll()
    setState(.done, of: job)
    learn(known, min(duration, longest))
    batches[known.batch]?.finished[known.slice.firstRow] = job
    deliver(known.batch)
  }

  mutating func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    let isCurrent = isCurrent(worker, job, attempt: attempt)
    release(job, attempt, from: worker)
    guard isCurrent else { return }
    jobs[job]?.runs.removeAll { $0.worker == worker }
    stragglers.mayBeMore = true
    if jobs[job]?.runs.isEmpty == true { requeue([job]) }
  }

  mutating func setState(_ state: Job.State, of job: JobID) {
    guard let known = jobs[job], known.state != state else { return }
    if known.state == .running { batches[known.batch]?.running -= 1 }
    if state == .running { batches[known.batch]?.running += 1 }
    jobs[job]?.state = state
  }

  private mutating func learn(_ job: Job, _ duration: UInt64) {
    guard job.slice.bytes > 0 else { return }
    let cost = Double(duration) / Double(job.slice.bytes)
    let known = batches[job.batch]?.cost
    batches[job.batch]?.cost = known.map { $0 * 0.7 + cost * 0.3 } ?? cost
  }
}
