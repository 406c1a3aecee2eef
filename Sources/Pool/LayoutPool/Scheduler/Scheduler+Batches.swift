/// Batches that come, are handed on in row order, and end.
extension Scheduler {
  func addJobs(_ id: BatchID, _ slices: [JobSlice], _ done: [Bool], isLast: Bool) {
    guard let batch = batches[id] else { return }
    for (place, slice) in slices.enumerated() {
      let job = takeNumber(of: batch, slice)
      if place < done.count && done[place] {
        job.enter(.done)
        batch.recoveredRows += UInt64(slice.rows)
        batch.finished[slice.firstRow] = job.id
      } else {
        batch.queue.append(job.id)
      }
      batch.addedRows += UInt64(slice.rows)
    }
    if isLast {
      batch.rows = batch.addedRows
      stragglers.mayBeMore = true
    }
    awaitTurn(batch)
    deliver(batch)
  }

  /// A new job.
  func takeNumber(of batch: Batch, _ slice: JobSlice) -> Job {
    let job = Job(nextJob, of: batch, slice)
    jobs[nextJob] = job
    nextJob += 1
    return job
  }

  /// Its jobs that are on workers occupy them until they are answered.
  func removeBatch(_ id: BatchID) {
    guard let batch = batches.removeValue(forKey: id) else { return }
    turns.remove(batch.turn)
    for job in jobs.values where job.batch === batch {
      job.runs.removeAll()
      jobs.removeValue(forKey: job.id)
      actions.append(.forget(job.id))
    }
  }

  /// Hands on finished jobs in row order, and ends the batch after the last.
  func deliver(_ batch: Batch) {
    while !batch.finished.isEmpty, let job = batch.finished.removeValue(forKey: batch.nextRow) {
      batch.nextRow += UInt64(jobs.removeValue(forKey: job)?.slice.rows ?? 0)
      actions.append(.deliver(batch.id, job))
      actions.append(.forget(job))
    }
    if batch.rows == batch.nextRow {
      actions.append(.batchDone(batch.id, rows: batch.nextRow, cost: batch.cost))
      batches.removeValue(forKey: batch.id)
    }
  }
}
