/// Batches are opened, receive jobs, and are cancelled.
extension Scheduler {
  mutating func addJobs(_ id: BatchID, _ slices: [JobSlice], _ done: [Bool], isLast: Bool) {
    guard let batch = state.batches[id] else { return }
    for (index, slice) in slices.enumerated() {
      let job = newJob(of: batch, slice)
      if index < done.count && done[index] {
        job.enter(.done)
        batch.state.recoveredRows += UInt64(slice.rows)
        batch.state.finished[slice.firstRow] = job.id
      } else {
        batch.state.queue.append(job.id)
      }
      batch.state.addedRows += UInt64(slice.rows)
    }
    if isLast {
      batch.state.rows = batch.state.addedRows
      state.stragglers.mayBeMore = true
    }
    enqueue(batch)
    deliver(batch)
  }

  mutating func newJob(of batch: Batch, _ slice: JobSlice) -> Job {
    let job = Job(state.nextJob, of: batch, slice)
    state.jobs[job.id] = job
    state.nextJob += 1
    return job
  }

  /// Removes a batch. Workers with its jobs remain busy until they reply.
  mutating func removeBatch(_ id: BatchID) {
    guard let batch = state.batches.removeValue(forKey: id) else { return }
    state.queue.remove(batch.state.ticket)
    for job in state.jobs.values where job.batch === batch {
      job.state.runs.removeAll()
      state.jobs.removeValue(forKey: job.id)
      state.effects.append(.forget(job.id))
    }
  }
}
