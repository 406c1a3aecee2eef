/// The assignment of queued jobs to workers.
extension Scheduler {
  /// Assigns queued jobs to workers with credit, the least busy first, batches in turn.
  mutating func assign() {
    while let next = state.queue.next, let batch = state.batches[next], let worker = popWorker(forNextOf: batch) {
      if isNextSuspect(of: batch) && worker.state.provenFor != batch.id {
        probe(worker, for: batch)
      } else if let job = popJob(of: batch) {
        send(job, to: worker)
      }
    }
  }

  /// Takes the least busy worker. A worker whose reply to the job was refused is taken only if there is no other, so that each
  /// worker tries the job before one receives it again. Of several such workers, the busiest is taken.
  private mutating func popWorker(forNextOf batch: Batch) -> Worker? {
    let avoids = nextJob(of: batch)?.state.avoids ?? []
    var avoided: [Worker] = []
    defer { for worker in avoided.reversed() { state.readyWorkers.insert(worker) } }
    while let worker = state.readyWorkers.popLeastBusy(at: state.now) {
      guard avoids.contains(worker.id) else { return worker }
      avoided.append(worker)
    }
    return avoided.popLast()
  }

  private func nextJob(of batch: Batch) -> Job? {
    batch.queued > 0 ? state.jobs[batch.state.queue[batch.state.firstQueued]] : nil
  }

  private func isNextSuspect(of batch: Batch) -> Bool { nextJob(of: batch)?.isSuspect == true }

  /// Sends a worker a job without rows. A worker that completes it can receive a job that may have ended another worker.
  private mutating func probe(_ worker: Worker, for batch: Batch) {
    let job = newJob(of: batch, JobSlice(firstRow: 0, rows: 0, bytes: 0))
    assign(job, to: worker)
    state.effects.append(.probe(batch.id, job.id, attempt: job.state.attempt, worker: worker.id))
  }

  mutating func send(_ job: Job, to worker: Worker) {
    assign(job, to: worker)
    state.readyWorkers.insert(worker)
    state.effects.append(.send(job.id, attempt: job.state.attempt, to: worker.id))
  }

  private mutating func assign(_ job: Job, to worker: Worker) {
    precondition(
      !job.isSuspect || worker.state.provenFor == job.batch.id, "a suspect job is for proven workers only")
    job.enter(.running)
    job.state.attempt += 1
    job.state.runs.append(Job.Run(worker: worker.id, attempt: job.state.attempt))
    if worker.state.jobs.isEmpty { worker.state.since = state.now } else { state.stragglers.mayBeMore = true }
    worker.state.jobs.append(
      Worker.Assignment(
        job: job, attempt: job.state.attempt, isLast: job.isSuspect || job.isProbe, sentAt: state.now))
  }

  /// Returns a ticket behind all others of its owner.
  mutating func newTicket(_ batch: BatchID, _ owner: FairQueue.Owner) -> FairQueue.Ticket {
    state.nextTicket += 1
    return FairQueue.Ticket(owner: owner, number: state.nextTicket, batch: batch)
  }

  /// Adds a batch to the queue if it has jobs to send.
  mutating func enqueue(_ batch: Batch) {
    if batch.queued > 0 { state.queue.insert(batch.state.ticket) }
  }

  /// Takes the first job of the batch that is served next. A batch with further jobs moves to the end of the queue.
  private mutating func popJob(of batch: Batch) -> Job? {
    guard let job = nextJob(of: batch) else { return nil }
    batch.state.firstQueued += 1
    // Removing taken jobs only sometimes costs constant time per job.
    if batch.state.firstQueued > 1024 && batch.state.firstQueued * 2 > batch.state.queue.count {
      batch.state.queue.removeFirst(batch.state.firstQueued)
      batch.state.firstQueued = 0
    }
    state.queue.remove(batch.state.ticket)
    batch.state.ticket = newTicket(batch.id, batch.state.ticket.owner)
    state.queue.noteServed(batch.state.ticket)
    enqueue(batch)
    return job
  }
}
