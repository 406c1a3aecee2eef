import Foundation

/// The report of the number of workers that one coordinator can serve, by the duration of jobs and the cost of rows.
enum CapacityReport {
  private static let workers = [2, 8, 32, 100, 300, 1000]
  /// The durations of jobs in milliseconds.
  private static let jobDurations: [UInt64] = [5, 25, 100]
  /// The costs of rows in microseconds: a photo cell with cached words, and a row that costs ten times as much.
  private static let rows: [UInt64] = [16, 160]

  static func print() {
    let costs = PoolModel.Costs(row: 0)
    Swift.print(
      """
      capacity of a coordinator, in virtual time around the real scheduler, whose processor time is measured
      assumed: \(costs.message / 1000) µs per message and \(costs.throughput) GB/s in and out of the coordinator, \
      \(costs.network / 1000) µs on the wire, \(costs.rowBytes) bytes per row, \(costs.recordBytes) bytes of tables per row
      """)
    for row in rows {
      Swift.print("\nrows of \(row) µs  workers  job ms  workers busy      rows/s  coordinator  scheduler µs per event")
      for duration in jobDurations {
        for count in workers { line(count, duration, row) }
      }
    }
  }

  private static func line(_ workers: Int, _ duration: UInt64, _ row: UInt64) {
    var model = PoolModel(
      workers: workers, jobDuration: duration * 1_000_000, costs: PoolModel.Costs(row: row * 1000))
    let figures = model.run()
    let expired = figures.expired == 0 ? "" : "  \(figures.expired) workers expired"
    Swift.print(
      String(
        format: "%23d %7d %11.0f %% %11.0f %10.0f %% %15.2f", workers, Int(duration), figures.workersBusy * 100,
        figures.rowsPerSecond, figures.coordinatorBusy * 100, figures.schedulerPerEvent / 1000) + expired)
  }
}
