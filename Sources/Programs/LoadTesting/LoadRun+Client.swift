import BatchLayout
import LayoutTables
import PoolClient
import PoolClientCore
import Processes

/// The clients of a run.
extension LoadRun {
  /// Submits one batch after another until the run has no further arrivals, each with its own connection like
  /// `galley submit`, and discards the results after checking them.
  func submitBatches() {
    while let arrival = nextArrival() {
      let end = submit(load.mix.rows(ofBatch: arrival.number))
      let outcome = BatchOutcome(intendedStart: arrival.start, ended: now, end: end)
      measurements.withLock { $0.record(outcome) }
    }
  }

  /// Submits one batch and waits for its results.
  private func submit(_ rows: Range<Int>) -> BatchOutcome.End {
    var rowsReceived = 0
    do {
      guard now < span.cutOff, !Interruption.isRequested else { return .late }
      let client = try BatchClient(context, endpoint: endpoint, keys: keys)
      activity.withLock { $0.open += 1 }
      defer { activity.withLock { $0.open -= 1 } }
      do {
        try client.run(
          load.request, rows: load.rows.reader(of: rows),
          shouldStop: { Interruption.isRequested || now >= span.cutOff },
          take: { count, columns in
            let bad = try JobTable.checked(columns, rows: count).map(\.badRowCount)
            rowsReceived += count
            activity.withLock { $0.rows += count }
            measurements.withLock { $0.record(rows: count, bad: bad.max() ?? 0, now: now) }
          })
      } catch {
        // A coordinator with a spool would keep the batch.
        client.cancel()
        activity.withLock { $0.canceled += 1 }
        throw error
      }
      try client.complete()
      activity.withLock { $0.completed += 1 }
    } catch PoolError.interrupted {
      return .late
    } catch {
      return .failed(load.describe(error))
    }
    return rowsReceived == rows.count ? .done : .failed("\(rowsReceived) of \(rows.count) rows were received")
  }
}
