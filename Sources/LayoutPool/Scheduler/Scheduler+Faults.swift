/// Workers that go, and the jobs that may be to blame.
extension Scheduler {
  /// A worker that is stopped, cut off or caught in a row that never ends.
  mutating func expireWorkers(at time: UInt64) {
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
  mutating func release(_ job: JobID, _ attempt: UInt32, from worker: WorkerID) {
    guard var known = workers[worker],
      let place = known.jobs.firstIndex(where: { $0.job == job && $0.attempt == attempt })
    else { return }
    known.jobs.remove(at: place)
    if place == 0 { known.since = now }
    workers[worker] = known
    readyWorkers.note(worker, load: known.jobs.count)
  }

  /// Its jobs go to others at once. Only a job that it was executing can be to blame for its end.
  mutating func removeWorker(_ id: WorkerID) {
    guard let worker = workers.removeValue(forKey: id) else { return }
    readyWorkers.forget(id)
    stragglers.mayBeMore = true
    var again: [JobID] = []
    for (place, job) in worker.jobs.map(\.job).enumerated() {
      guard let known = jobs[job], let run = known.runs.first(where: { $0.worker == id }) else { continue }
      jobs[job]?.runs.removeAll { $0.worker == id }
      guard known.runs.count == 1 else {
        // A copy of it goes on, and that one decides; there will not be another.
        if place == 0 || run.isStarted { jobs[job]?.suspicions += 1 }
        continue
      }
      batches[known.batch]?.retries += 1
      if place == 0 && !run.isStarted { jobs[job]?.suspicions += 1 }
      if run.isStarted || jobs[job]?.suspicions ?? 0 >= Self.maxTries {
        jobs[job]?.suspicions = 0
        blame(job, &again)
      } else {
        again.append(job)
      }
    }
    requeue(again)
  }

  /// A job of several rows is halved until the row that kills is alone; that one is tried a few times more.
  private mutating func blame(_ job: JobID, _ again: inout [JobID]) {
    jobs[job]?.deaths += 1
    guard let known = jobs[job] else { return }
    if known.slice.rows > 1 {
      setState(.splitting, of: job)
      actions.append(.split(job))
    } else if known.deaths < Self.maxTries {
      again.append(job)
    } else {
      setState(.done, of: job)
      actions.append(.failRow(known.batch, job))
      batches[known.batch]?.finished[known.slice.firstRow] = job
      deliver(known.batch)
    }
  }

  mutating func replace(_ job: JobID, _ first: JobSlice, _ second: JobSlice) {
    guard let known = jobs[job], known.state == .splitting else { return }
    var halves: [JobID] = []
    for slice in [first, second] {
      jobs[nextJob] = Job(batch: known.batch, slice: slice)
      halves.append(nextJob)
      nextJob += 1
    }
    jobs.removeValue(forKey: job)
    actions.append(.forget(job))
    requeue(halves)
  }

  /// Puts jobs at the head of their batch's queue: what others wait for comes first.
  mutating func requeue(_ again: [JobID]) {
    for job in again.reversed() {
      guard let batch = jobs[job]?.batch else { continue }
      setState(.queued, of: job)
      if let first = batches[batch]?.firstQueued, first > 0 {
        batches[batch]?.firstQueued -= 1
        batches[batch]?.queue[first - 1] = job
      } else {
        batches[batch]?.queue.insert(job, at: 0)
      }
      awaitTurn(batch)
    }
  }
}
