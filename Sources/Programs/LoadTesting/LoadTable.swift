/// A table with a line for each run.
public enum LoadTable {
  private static let titles = ["batches/s", "rows/s", "p50 ms", "p99 ms", "max ms", "late", "failed", "CPU s"]
  private static let width = 11

  /// Returns the header.
  ///
  /// - Parameters:
  ///   - key: The title of the first column.
  ///   - last: The title of an additional last column.
  public static func header(_ key: String, _ last: String? = nil) -> String { row([key] + titles, last) }

  /// Returns the line of a run.
  ///
  /// - Parameters:
  ///   - key: The value of the first column.
  ///   - last: The value of the additional last column.
  public static func line(_ key: String, _ report: LoadReport, _ last: String? = nil) -> String {
    let latency = report.latency
    let times = [latency?.p50, latency?.p99, latency?.max].map { $0.map { decimal($0, 1) } ?? "-" }
    return row(
      [key, decimal(report.batchesPerSecond, 2), decimal(report.rowsPerSecond, 0)] + times
        + ["\(report.late)", "\(report.failedBatches)", report.processor.workers.map { decimal($0, 2) } ?? "-"],
      last)
  }

  private static func row(_ cells: [String], _ last: String?) -> String {
    (cells + (last.map { [$0] } ?? [])).map { cell in
      String(repeating: " ", count: max(width - cell.count, 1)) + cell
    }.joined()
  }
}
