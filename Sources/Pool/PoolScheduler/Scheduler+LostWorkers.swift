/// Workers that end, and the jobs that may be the cause.
extension Scheduler {
  /// Removes a worker and queues its jobs for others at once. Only the job that it was executing can be the cause of its end,
  /// and only if the worker has finished another job: a worker that ends at every job is itself the cause.
  mutating func removeWorker(_ id: WorkerID, inGoodOrder: Bool = false) {
    guard let worker = state.workers.removeValue(forKey: id) else { return }
    state.readyWorkers.remove(worker)
    state.stragglers.mayBeMore = true
    var again: [Job] = []
    for (index, job) in worker.state.jobs.map(\.job).enumerated() {
      guard let run = job.state.runs.first(where: { $0.worker == id }) else { continue }
      job.state.runs.removeAll { $0.worker == id }
      if job.isProbe {
        forget(job)
        continue
      }
      let mayBeToBlame = !inGoodOrder && (index == 0 || run.isStarted)
      if mayBeToBlame { suspect(job, isStarted: run.isStarted, isProven: worker.state.provenFor == job.batch.id) }
      // The outcome of the remaining copy decides. The job is not copied again.
      guard job.state.runs.isEmpty else { continue }
      if !inGoodOrder {
        job.batch.state.retries += 1
        state.retries += 1
      }
      if job.state.suspicions >= Self.maxTries {
        job.state.suspicions = 0
        blame(job, &again)
      } else {
        again.append(job)
      }
    }
    requeue(again)
  }

  /// Records that a worker has ended while it executed the job, or when the job was its next.
  private func suspect(_ job: Job, isStarted: Bool, isProven: Bool) {
    if !isProven {
      job.state.isMarked = true
    } else if isStarted && job.state.runs.isEmpty {
      job.state.suspicions = Self.maxTries
    } else {
      job.state.suspicions += 1
    }
  }

  /// Splits a job of several rows, until the row that ends workers is alone. That row is retried a few times.
  private mutating func blame(_ job: Job, _ again: inout [Job]) {
    job.state.deaths += 1
    if job.slice.rows == 1 && job.state.deaths < Self.maxTries {
      again.append(job)
    } else {
      splitOrFail(job, .endedWorkers)
    }
  }

  /// Splits a job with columns that are too large for a message. This does not count against the job.
  mutating func splitLargeJob(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let worker = state.workers[worker] else { return }
    if let job = release(job, attempt, from: worker) { splitOrFail(job, .tooLarge) }
  }

  /// Splits a job that has no results as a whole. A single row becomes a bad row.
  mutating func splitOrFail(_ job: Job, _ failure: RowFailure) {
    job.state.runs.removeAll()
    if job.slice.rows > 1 {
      job.enter(.splitting)
      state.effects.append(.split(job.id))
    } else {
      state.effects.append(.failRow(job.batch.id, job.id, failure))
      end(job)
    }
  }

  /// Replaces a job by its parts.
  mutating func replace(_ job: JobID, by slices: [JobSlice]) {
    guard let whole = state.jobs[job], whole.state.phase == .splitting else { return }
    let parts = slices.map { newJob(of: whole.batch, $0) }
    for part in parts { part.state.isMarked = whole.isSuspect }
    forget(whole)
    requeue(parts)
  }

  /// Inserts jobs at the head of their batch's queue, because later results wait for their rows.
  mutating func requeue(_ again: [Job]) {
    for job in again.reversed() {
      job.enter(.queued)
      let batch = job.batch
      if batch.state.firstQueued > 0 {
        batch.state.firstQueued -= 1
        batch.state.queue[batch.state.firstQueued] = job.id
      } else {
        batch.state.queue.insert(job.id, at: 0)
      }
      enqueue(batch)
    }
  }
}
