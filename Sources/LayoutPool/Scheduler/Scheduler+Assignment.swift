/// Which worker does which job next.
extension Scheduler {
  /// Gives queued jobs to workers with credit, the least busy first, batches in turn.
  mutating func assign() {
    while let batch = turns.next, let worker = leastBusyWorker(), let job = takeJob(of: batch) {
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

  /// A turn behind all others of its priority.
  mutating func takeTurn(_ batch: BatchID, _ priority: Int32) -> Turns.Turn {
    nextTurn += 1
    return Turns.Turn(priority: priority, number: nextTurn, batch: batch)
  }

  /// A batch may have got jobs to send.
  mutating func awaitTurn(_ batch: BatchID) {
    if let known = batches[batch], known.queued > 0 { turns.add(known.turn) }
  }

  /// It is the batch's turn: takes its first job, and has it wait for the next turn if there are more.
  private mutating func takeJob(of batch: BatchID) -> JobID? {
    guard let first = batches[batch]?.firstQueued, let job = batches[batch]?.queue[first] else { return nil }
    batches[batch]?.firstQueued += 1
    // Give the room of what is taken back now and then, at a constant cost a job.
    if first + 1 > 1024 && (first + 1) * 2 > (batches[batch]?.queue.count ?? 0) {
      batches[batch]?.queue.removeFirst(first + 1)
      batches[batch]?.firstQueued = 0
    }
    if let turn = batches[batch]?.turn {
      turns.remove(turn)
      let next = takeTurn(batch, turn.priority)
      batches[batch]?.turn = next
    }
    awaitTurn(batch)
    return job
  }
}
