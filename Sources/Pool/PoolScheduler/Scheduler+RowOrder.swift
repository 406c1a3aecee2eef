/// The delivery of results in row order.
extension Scheduler {
  /// Delivers finished jobs in row order, and ends the batch after the last.
  mutating func deliver(_ batch: Batch) {
    while !batch.state.finished.isEmpty, let job = batch.state.finished.removeValue(forKey: batch.state.nextRow) {
      batch.state.nextRow += UInt64(state.jobs.removeValue(forKey: job)?.slice.rows ?? 0)
      state.effects.append(.deliver(batch.id, job))
      state.effects.append(.forget(job))
    }
    if batch.state.rows == batch.state.nextRow {
      state.effects.append(.batchDone(batch.id, rows: batch.state.nextRow, cost: batch.state.cost))
      state.batches.removeValue(forKey: batch.id)
    }
  }
}
