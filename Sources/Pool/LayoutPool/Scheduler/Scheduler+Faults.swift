/// Workers that go, and the jobs that may be to blame.
extension Scheduler {
  /// A worker that is stopped, cut off or caught in a row that never ends.
  func expireWorkers(at time: UInt64) {
    if let lastTick, time > lastTick { now += min(time - lastTick, Self.longestStep) }
    lastTick = max(time, lastTick ?? 0)
    for worker in workers.filter({ isOverdue($0.value) }).keys.sorted() {
      actions.append(.expire(worker))
      removeWorker(worker)
    }
  }

  /// A worker ends itself at the deadline if it can; it gets half as much again.
  private func isOverdue(_ worker: Worker) -> Bool {
    guard let job = worker.jobs.first?.job else { return false }
    return now - worker.since > deadline(of: job) / 2 * 3
  }

  /// A worker begins the next of its jobs when one is over.
  func release(_ job: JobID, _ attempt: UInt32, from worker: Worker) {
    guard let place = worker.jobs.firstIndex(where: { $0.job.id == job && $0.attempt == attempt }) else { return }
    worker.jobs.remove(at: place)
    if place == 0 { worker.since = now }
    readyWorkers.note(worker)
  }

  /// Its jobs go to others at once. Only a job that it was executing can be to blame for its end.
  func removeWorker(_ id: WorkerID, inGoodOrder: Bool = false) {
    guard let worker = workers.removeValue(forKey: id) else { return }
    readyWorkers.forget(worker)
    stragglers.mayBeMore = true
    var again: [Job] = []
    for (place, job) in worker.jobs.map(\.job).enumerated() {
      guard let run = job.runs.first(where: { $0.worker == id }) else { continue }
      job.runs.removeAll { $0.worker == id }
      if inGoodOrder {
        if job.runs.isEmpty { again.append(job) }
        continue
      }
      guard job.runs.isEmpty else {
        // A copy of it goes on, and that one decides; there will not be another.
        if place == 0 || run.isStarted { job.suspicions += 1 }
        continue
      }
      job.batch.retries += 1
      if place == 0 && !run.isStarted { job.suspicions += 1 }
      if run.isStarted || job.suspicions >= Self.maxTries {
        job.suspicions = 0
        blame(job, &again)
      } else {
        again.append(job)
      }
    }
    requeue(again)
  }

  /// A job of several rows is halved until the row that kills is alone; that one is tried a few times more.
  private func blame(_ job: Job, _ again: inout [Job]) {
    job.deaths += 1
    if job.slice.rows > 1 {
      job.enter(.splitting)
      actions.append(.split(job.id))
    } else if job.deaths < Self.maxTries {
      again.append(job)
    } else {
      actions.append(.failRow(job.batch.id, job.id))
      end(job)
    }
  }

  func replace(_ job: JobID, _ first: JobSlice, _ second: JobSlice) {
    guard let whole = jobs[job], whole.state == .splitting else { return }
    let halves = [first, second].map { takeNumber(of: whole.batch, $0) }
    jobs.removeValue(forKey: job)
    actions.append(.forget(job))
    requeue(halves)
  }

  /// Puts jobs at the head of their batch's queue: what others wait for comes first.
  func requeue(_ again: [Job]) {
    for job in again.reversed() {
      job.enter(.queued)
      let batch = job.batch
      if batch.firstQueued > 0 {
        batch.firstQueued -= 1
        batch.queue[batch.firstQueued] = job.id
      } else {
        batch.queue.insert(job.id, at: 0)
      }
      awaitTurn(batch)
    }
  }
}
