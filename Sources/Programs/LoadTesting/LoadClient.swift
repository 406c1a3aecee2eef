import CellTemplates
import LayoutTables
import PoolClient
import PoolClientCore
import Processes
import ZeroMQ

/// Submits one batch after the other, each on a connection of its own as `galley submit` does, and discards the results
/// once it has checked them.
struct LoadClient: Sendable {
  private let run: LoadRun
  private let request: BatchRequest

  init(_ run: LoadRun) {
    self.run = run
    request = run.load.request
  }

  /// Submits batches until there are no more.
  func submitBatches() {
    while let arrival = run.nextArrival() {
      let end = submit(run.load.mix.rows(ofBatch: arrival.number))
      // What the user has cut short says nothing.
      if end == .late && Interruption.isRequested { return }
      let outcome = BatchOutcome(intendedStart: arrival.start, ended: run.now, end: end)
      run.measurements.withLock { $0.note(outcome) }
    }
  }

  private func submit(_ rows: Range<Int>) -> BatchOutcome.End {
    var rowsBack = 0
    do {
      guard run.now < run.span.cutOff else { return .late }
      let client = try BatchClient(run.context, endpoint: run.endpoint, keys: run.keys)
      try client.run(
        request, rows: run.load.rows.reader(of: rows),
        shouldStop: { Interruption.isRequested || run.now >= run.span.cutOff },
        take: { count, columns in
          let bad = try columns.map { columns in
            try JobTable(columns.bytes, rows: count, typeCount: ElementType.names.count).badRowCount
          }
          rowsBack += count
          run.measurements.withLock { $0.note(rows: count, bad: bad.max() ?? 0, now: run.now) }
        })
      try client.complete()
    } catch PoolError.interrupted {
      return .late
    } catch {
      return .failed(run.load.describe(error))
    }
    return rowsBack == rows.count ? .done : .failed("\(rowsBack) rows came back of \(rows.count)")
  }
}
