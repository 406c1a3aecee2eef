/// Which worker does which job next.
extension Scheduler {
  /// Gives queued jobs to workers with credit, the least busy first, batches in turn.
  func assign() {
    while let next = turns.next, let batch = batches[next], let worker = readyWorkers.take(),
      let job = takeJob(of: batch)
    {
      send(job, to: worker)
    }
  }

  func send(_ job: Job, to worker: Worker) {
    job.enter(.running)
    job.attempt += 1
    job.runs.append(Job.Run(worker: worker.id, attempt: job.attempt))
    if worker.jobs.isEmpty { worker.since = now } else { stragglers.mayBeMore = true }
    worker.jobs.append(Worker.Assignment(job: job, attempt: job.attempt, isSuspect: job.isSuspect))
    readyWorkers.note(worker)
    actions.append(.send(job.id, attempt: job.attempt, to: worker.id))
  }

  /// A turn behind all others of its priority.
  func takeTurn(_ batch: BatchID, _ priority: Int32) -> Turns.Turn {
    nextTurn += 1
    return Turns.Turn(priority: priority, number: nextTurn, batch: batch)
  }

  /// A batch may have got jobs to send.
  func awaitTurn(_ batch: Batch) {
    if batch.queued > 0 { turns.add(batch.turn) }
  }

  /// It is the batch's turn: takes its first job, and has it wait for the next turn if there are more.
  private func takeJob(of batch: Batch) -> Job? {
    guard batch.queued > 0, let job = jobs[batch.queue[batch.firstQueued]] else { return nil }
    batch.firstQueued += 1
    // Give the room of what is taken back now and then, at a constant cost a job.
    if batch.firstQueued > 1024 && batch.firstQueued * 2 > batch.queue.count {
      batch.queue.removeFirst(batch.firstQueued)
      batch.firstQueued = 0
    }
    turns.remove(batch.turn)
    batch.turn = takeTurn(batch.id, batch.turn.priority)
    awaitTurn(batch)
    return job
  }
}
