/// Workers that end, and the jobs that may have caused it.
extension Scheduler {
  /// Removes a worker. Its jobs go to others at once. Only a job that it was executing can be to blame for its end, and
  /// only if it has finished another: a worker that ends at whatever it begins is itself at fault.
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
      // The outcome of a remaining copy decides, and the job is not copied again.
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

  /// A worker has ended that was executing the job, or would have executed it next.
  private func suspect(_ job: Job, isStarted: Bool, isProven: Bool) {
    if !isProven {
      job.state.isMarked = true
    } else if isStarted && job.state.runs.isEmpty {
      job.state.suspicions = Self.maxTries
    } else {
      job.state.suspicions += 1
    }
  }

  /// A job of several rows is split until the row that ends workers is alone. That row is tried a few times more.
  private mutating func blame(_ job: Job, _ again: inout [Job]) {
    job.state.deaths += 1
    if job.slice.rows > 1 {
      job.enter(.splitting)
      state.effects.append(.split(job.id))
    } else if job.state.deaths < Self.maxTries {
      again.append(job)
    } else {
      state.effects.append(.failRow(job.batch.id, job.id, .endedWorkers))
      end(job)
    }
  }

  /// The columns of a job are too large for a message: it is split without blame.
  mutating func splitLargeJob(_ worker: WorkerID, _ job: JobID, _ attempt: UInt32) {
    guard let worker = state.workers[worker] else { return }
    release(job, attempt, from: worker)
    guard let job = state.jobs[job], job.run(on: worker.id, attempt) != nil else { return }
    splitOrFail(job, .tooLarge)
  }

  /// Splits a job that has no results as a whole, or gives its only row up.
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

  /// Puts jobs at the head of their batch's queue, because others wait for their rows.
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
