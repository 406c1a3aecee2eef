import BatchLayout
import LayoutTables
import PoolClient
import PoolClientCore
import Processes
import ZeroMQ

/// A client that submits one batch after another, each with its own connection like `galley submit`, and discards the
/// results after checking them.
struct LoadClient: Sendable {
  private let run: LoadRun
  private let request: BatchRequest

  init(_ run: LoadRun) {
    self.run = run
    request = run.load.request
  }

  /// Submits batches until the run has no further arrivals.
  func submitBatches() {
    while let arrival = run.nextArrival() {
      let end = submit(run.load.mix.rows(ofBatch: arrival.number))
      // A batch that the user interrupted is not counted.
      if end == .late && Interruption.isRequested { return }
      let outcome = BatchOutcome(intendedStart: arrival.start, ended: run.now, end: end)
      run.measurements.withLock { $0.record(outcome) }
    }
  }

  /// Submits one batch and waits for its results.
  private func submit(_ rows: Range<Int>) -> BatchOutcome.End {
    var rowsReceived = 0
    do {
      guard run.now < run.span.cutOff else { return .late }
      let client = try BatchClient(run.context, endpoint: run.endpoint, keys: run.keys)
      run.activity.withLock { $0.open += 1 }
      defer { run.activity.withLock { $0.open -= 1 } }
      do {
        try client.run(
          request, rows: run.load.rows.reader(of: rows),
          shouldStop: { Interruption.isRequested || run.now >= run.span.cutOff },
          take: { count, columns in
            let bad = try JobTable.checked(columns, rows: count).map(\.badRowCount)
            rowsReceived += count
            run.activity.withLock { $0.rows += count }
            run.measurements.withLock { $0.record(rows: count, bad: bad.max() ?? 0, now: run.now) }
          })
      } catch {
        // A coordinator with a spool would keep the batch.
        client.cancel()
        run.activity.withLock { $0.canceled += 1 }
        throw error
      }
      try client.complete()
      run.activity.withLock { $0.completed += 1 }
    } catch PoolError.interrupted {
      return .late
    } catch {
      return .failed(run.load.describe(error))
    }
    return rowsReceived == rows.count ? .done : .failed("\(rowsReceived) of \(rows.count) rows were received")
  }
}
