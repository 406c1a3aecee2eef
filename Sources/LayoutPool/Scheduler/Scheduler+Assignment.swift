/// Which worker does which job next.
extension Scheduler {
  /// Gives queued jobs to workers with credit, the least busy first, batches in turn.
  mutating func assign() {
    while let batch = nextBatch(), let worker = leastBusyWorker(), let job = takeJob(of: batch) {
      takeTurn(batch)
      send(job, to: worker)
    }
  }

  mutating func send(_ job: JobID, to worker: WorkerID) {
    setState(.running, of: job)
    let attempt = (jobs[job]?.attempt ?? 0) + 1
    jobs[job]?.attempt = attempt
    jobs[job]?.runs.append(Job.Run(worker: worker, attempt: attempt))
    guard var known = workers[worker] else { return }
    if known.jobs.isEmpty { known.since = now } else { stragglers.mayBeMore = true }
    known.jobs.append(Worker.Assignment(job: job, attempt: attempt, isSuspect: jobs[job]?.isSuspect == true))
    workers[worker] = known
    readyWorkers.note(worker, load: known.jobs.count)
    actions.append(.send(job, attempt: attempt, to: worker))
  }

  private mutating func leastBusyWorker() -> WorkerID? {
    readyWorkers.take { [workers] worker, load in
      guard let known = workers[worker] else { return false }
      return known.jobs.count == load && known.takesMore
    }
  }

  func nextBatch() -> BatchID? { turns.first { (batches[$0]?.queued ?? 0) > 0 } }

  /// Puts a batch behind those of its priority.
  mutating func takeTurn(_ batch: BatchID, _ priority: Int32? = nil) {
    guard let priority = priority ?? batches[batch]?.priority else { return }
    turns.removeAll { $0 == batch }
    let place = turns.firstIndex { (batches[$0]?.priority ?? 0) < priority } ?? turns.endIndex
    turns.insert(batch, at: place)
  }

  private mutating func takeJob(of batch: BatchID) -> JobID? {
    guard let first = batches[batch]?.firstQueued, let job = batches[batch]?.queue[first] else { return nil }
    batches[batch]?.firstQueued += 1
    // Give the room of what is taken back now and then, at a constant cost a job.
    if first + 1 > 1024 && (first + 1) * 2 > (batches[batch]?.queue.count ?? 0) {
      batches[batch]?.queue.removeFirst(first + 1)
      batches[batch]?.firstQueued = 0
    }
    return job
  }
}
