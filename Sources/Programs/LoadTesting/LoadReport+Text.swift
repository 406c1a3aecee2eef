import Foundation
import PoolProtocol

extension LoadReport {
  /// The report as several lines of text.
  public var text: String {
    let lines = [
      heading,
      "throughput  \(decimal(batchesPerSecond, 2)) batches/s, \(decimal(rowsPerSecond, 0)) rows/s "
        + "(\(batches) batches, \(rows) rows)",
      "latency     " + latencyText,
      "errors      " + errorText,
      "workers     " + workersText,
      "processor   " + processorText,
    ]
    return (lines + poolLines + failIf.map { "fail if     " + text(of: $0) } + explanations).joined(separator: "\n")
  }

  /// A description of the load.
  var heading: String {
    let measured = "\(decimal(seconds, 1)) s measured" + (isInterrupted ? ", interrupted" : "")
    guard let rate else { return "closed loop of \(clients) clients, \(measured)" }
    return "open loop, \(decimal(rate, 2)) batches/s intended, at most \(clients) concurrently, \(measured)"
  }

  /// A short form of the results.
  var subheading: String {
    "\(decimal(batchesPerSecond, 2)) batches/s, \(decimal(rowsPerSecond, 0)) rows/s, errors: \(errorText)"
  }

  private var latencyText: String {
    guard let latency else { return "unknown: no batch that started in the measured time was completed" }
    let figures = [
      ("p50", latency.p50), ("p90", latency.p90), ("p95", latency.p95), ("p99", latency.p99),
      ("p99.9", latency.p999), ("max", latency.max),
    ]
    return figures.map { "\($0) \(decimal($1, 1))" }.joined(separator: "  ") + " ms"
  }

  private var workersText: String {
    guard let workers else {
      return isRestarted
        ? "unknown: the coordinator was started again in the measured time, and counts from 0 since then"
        : "unknown: the coordinator did not reply in time"
    }
    return "\(workers.rows) rows laid out in \(decimal(workers.seconds, 1)) s for all clients, "
      + "\(decimal(workers.rowsPerSecond, 0)) rows/s"
  }

  private var poolLines: [String] {
    guard let pool else { return [] }
    return [
      "queue time  " + Self.text(of: pool.queueTime), "layout time " + Self.text(of: pool.layoutTime),
      "transfer    \(pool.jobsDone) jobs, \(pool.retries) tried again, "
        + "\(decimal(Double(pool.rowBytesReceived) / 1_048_576, 1)) MiB of rows and "
        + "\(decimal(Double(pool.resultBytesSent) / 1_048_576, 1)) MiB of results for all clients",
    ]
  }

  private static func text(of times: TimeHistogram) -> String {
    guard let p50 = times.quantile(0.5), let p90 = times.quantile(0.9), let p99 = times.quantile(0.99) else {
      return "unknown: there were no jobs"
    }
    return "p50 \(decimal(p50 * 1000, 2))  p90 \(decimal(p90 * 1000, 2))  p99 \(decimal(p99 * 1000, 2)) ms of jobs"
  }

  private func text(of outcome: LoadThreshold.Outcome) -> String {
    let value = outcome.value.map { decimal($0, $0 == $0.rounded() ? 0 : 2) } ?? "not measured"
    return "\(outcome.condition): \(outcome.isMet ? "failed" : "passed") (\(value))"
  }

  private var errorText: String {
    let counts = [("failed batches", failedBatches), ("late batches", late), ("bad rows", badRows)]
    let errors = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    return errors.isEmpty ? "none" : errors.joined(separator: ", ")
  }

  /// The explanations of errors, one line each.
  private var explanations: [String] {
    var lines = failures.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { "  \($0.value) failed: \($0.key)" }
    if late > 0 {
      let reason =
        isInterrupted
        ? "when the run was interrupted; canceled"
        : "at the end of the run; canceled; the coordinator is lost or the rate is too high"
      lines.append("  \(late) late: not complete \(reason)")
    }
    if remainingBatches != 0 {
      let count = remainingBatches.map { "\($0)" } ?? "an unknown number of"
      lines.append("  the coordinator still has \(count) batches of this run; galley status lists them")
    }
    if badRows > 0 { lines.append("  \(badRows) bad rows: galley check lists them") }
    return lines
  }

  private var processorText: String {
    let coordinator = processor.coordinator.map { "\(decimal($0, 2)) s" } ?? "unknown (its process was not found)"
    let workers =
      processor.workers.map { "\(processor.workerProcesses) workers \(decimal($0, 2)) s" }
      ?? "workers unknown (their processes were not found)"
    return "coordinator \(coordinator), \(workers)"
  }
}

/// Returns a number with `digits` digits behind the decimal point.
public func decimal(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }
