/// The reports of workers about their jobs.
extension Scheduler {
  func noteStart(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let job = state.jobs[job], let run = job.run(on: worker, attempt) else { return }
    job.state.runs[run].isStarted = true
    if let worker = state.workers[worker], worker.state.jobs.first?.job === job { worker.state.since = state.now }
  }

  /// Records that a worker asks for a part of the program of its next job.
  func noteWaiting(_ worker: WorkerID) { state.workers[worker]?.state.waitedAt = state.now }

  mutating func finish(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32, duration: UInt64, columnBytes: Int) {
    guard let worker = state.workers[worker] else { return }
    // The coordinator's own measurement includes the transport and the preceding job. The duration that a worker reports
    // includes neither, but must not exceed the measurement, because a wrong one would extend deadlines.
    let sentAt = worker.state.jobs.first { $0.job.id == job && $0.attempt == attempt }?.sentAt ?? state.now
    let longest = state.now - sentAt
    guard let job = release(job, attempt, from: worker) else { return }
    worker.state.provenFor = job.batch.id
    if job.isProbe { return forget(job) }
    learn(job, min(duration, longest), columnBytes)
    end(job)
  }

  /// Ends a job with results. Replies to its other copies are ignored from now on.
  mutating func end(_ job: Job) {
    job.state.runs.removeAll()
    job.enter(.done)
    job.batch.state.finished[job.slice.firstRow] = job.id
    deliver(job.batch)
  }

  mutating func takeBack(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let worker = state.workers[worker], let job = release(job, attempt, from: worker) else { return }
    job.state.runs.removeAll { $0.worker == worker.id }
    state.stragglers.mayBeMore = true
    guard job.state.runs.isEmpty else { return }
    if job.isProbe { forget(job) } else { requeue([job]) }
  }

  /// Records a refused reply. After several refused replies, the job is split until its row is alone.
  mutating func refuseResult(of id: JobID, _ worker: WorkerID, _ attempt: UInt32) {
    guard let job = state.jobs[id], job.run(on: worker, attempt) != nil, !job.isProbe else {
      return takeBack(worker, id, attempt)
    }
    if !job.state.avoids.contains(worker) { job.state.avoids.append(worker) }
    job.state.refusals += 1
    guard job.state.refusals >= Self.maxRefusals, job.state.runs.count == 1 else {
      return takeBack(worker, id, attempt)
    }
    if let worker = state.workers[worker] { _ = release(id, attempt, from: worker) }
    splitOrFail(job, .refused)
  }

  /// Removes a job without a result of its own.
  mutating func forget(_ job: Job) {
    job.enter(.done)
    state.jobs.removeValue(forKey: job.id)
    state.effects.append(.forget(job.id))
  }

  /// Removes a job from a worker's list. The worker then begins its next job. Returns the job, unless the worker's copy of it is
  /// over.
  mutating func release(_ id: JobID, _ attempt: UInt32, from worker: Worker) -> Job? {
    if let index = worker.state.jobs.firstIndex(where: { $0.job.id == id && $0.attempt == attempt }) {
      worker.state.jobs.remove(at: index)
      if index == 0 { worker.state.since = state.now }
      state.readyWorkers.insert(worker)
    }
    guard let job = state.jobs[id], job.run(on: worker.id, attempt) != nil else { return nil }
    return job
  }

  private func learn(_ job: Job, _ duration: UInt64, _ columnBytes: Int) {
    guard job.slice.bytes > 0 else { return }
    let cost = Double(duration) / Double(job.slice.bytes)
    job.batch.state.cost = job.batch.state.cost.map { $0 * 0.7 + cost * 0.3 } ?? cost
    let growth = Double(columnBytes) / Double(job.slice.bytes)
    job.batch.state.growth = max(job.batch.state.growth * 0.7 + growth * 0.3, min(growth, 1))
  }
}
