/// Batches that come, are handed on in row order, and end.
extension Scheduler {
  mutating func addJobs(_ batch: BatchID, _ slices: [JobSlice], _ done: [Bool], isLast: Bool) {
    guard batches[batch] != nil else { return }
    for (place, slice) in slices.enumerated() {
      let isDone = place < done.count && done[place]
      jobs[nextJob] = Job(batch: batch, slice: slice, state: isDone ? .done : .queued)
      if isDone {
        batches[batch]?.recoveredRows += UInt64(slice.rows)
        batches[batch]?.finished[slice.firstRow] = nextJob
      } else {
        batches[batch]?.queue.append(nextJob)
      }
      batches[batch]?.addedRows += UInt64(slice.rows)
      nextJob += 1
    }
    if isLast, let added = batches[batch]?.addedRows {
      batches[batch]?.rows = added
      stragglers.mayBeMore = true
    }
    awaitTurn(batch)
    deliver(batch)
  }

  /// Its jobs that are on workers occupy them until they are answered.
  mutating func removeBatch(_ batch: BatchID) {
    guard let known = batches.removeValue(forKey: batch) else { return }
    turns.remove(known.turn)
    for (job, known) in jobs where known.batch == batch {
      jobs.removeValue(forKey: job)
      actions.append(.forget(job))
    }
  }

  /// Hands on finished jobs in row order, and ends the batch after the last.
  mutating func deliver(_ id: BatchID) {
    while let next = batches[id]?.nextRow, let job = batches[id]?.finished.removeValue(forKey: next) {
      let rows = UInt64(jobs.removeValue(forKey: job)?.slice.rows ?? 0)
      batches[id]?.nextRow = next + rows
      actions.append(.deliver(id, job))
      actions.append(.forget(job))
    }
    if let batch = batches[id], batch.rows == batch.nextRow {
      actions.append(.batchDone(id, rows: batch.nextRow, cost: batch.cost))
      batches.removeValue(forKey: id)
    }
  }
}
