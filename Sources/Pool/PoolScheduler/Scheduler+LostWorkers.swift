/// Workers that end, and the jobs that may be to blame.
extension Scheduler {
  /// Removes a worker. Its jobs go to others at once. Only a job that it was executing can be to blame for its end.
  func removeWorker(_ id: WorkerID, inGoodOrder: Bool = false) {
    guard let worker = state.workers.removeValue(forKey: id) else { return }
    state.readyWorkers.remove(worker)
    state.stragglers.mayBeMore = true
    var again: [Job] = []
    for (index, job) in worker.state.jobs.map(\.job).enumerated() {
      guard let run = job.state.runs.first(where: { $0.worker == id }) else { continue }
      job.state.runs.removeAll { $0.worker == id }
      if inGoodOrder {
        if job.state.runs.isEmpty { again.append(job) }
        continue
      }
      guard job.state.runs.isEmpty else {
        // The outcome of the copy that goes on decides; the job is not copied again.
        if index == 0 || run.isStarted { job.state.suspicions += 1 }
        continue
      }
      job.batch.state.retries += 1
      if index == 0 && !run.isStarted { job.state.suspicions += 1 }
      if run.isStarted || job.state.suspicions >= Self.maxTries {
        job.state.suspicions = 0
        blame(job, &again)
      } else {
        again.append(job)
      }
    }
    requeue(again)
  }

  /// A job of several rows is halved until the row that ends workers is alone. That row is tried a few times more.
  private func blame(_ job: Job, _ again: inout [Job]) {
    job.state.deaths += 1
    if job.slice.rows > 1 {
      job.enter(.splitting)
      state.actions.append(.split(job.id))
    } else if job.state.deaths < Self.maxTries {
      again.append(job)
    } else {
      state.actions.append(.failRow(job.batch.id, job.id))
      end(job)
    }
  }

  func replace(_ job: JobID, _ first: JobSlice, _ second: JobSlice) {
    guard let whole = state.jobs[job], whole.state.phase == .splitting else { return }
    let halves = [first, second].map { newJob(of: whole.batch, $0) }
    state.jobs.removeValue(forKey: job)
    state.actions.append(.forget(job))
    requeue(halves)
  }

  /// Puts jobs at the head of their batch's queue, because others wait for their rows.
  func requeue(_ again: [Job]) {
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
