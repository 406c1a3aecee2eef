import PoolProtocol

extension PoolMetrics {
  /// The metrics as lines for people; none where the coordinator reports no metrics.
  var lines: [String] {
    guard uptime > 0 else { return [] }
    let recovered = batchesRecovered > 0 ? ", \(batchesRecovered) recovered" : ""
    return [
      "  since its start \(UInt64(uptime)) s ago: \(batchesAccepted) batches accepted\(recovered), \(batchesDone) done, "
        + "\(batchesFailed) failed, \(batchesCancelled) cancelled; \(jobsDone) jobs and \(rowsDone) rows done, "
        + "\(retries) jobs tried again, \(lostWorkers) workers lost"
        + (jobsCopied > 0 ? ", \(jobsCopied) late jobs copied" : "")
        + (resultsRefused > 0 ? ", \(resultsRefused) damaged results refused" : ""),
      "  \(rowBytesReceived >> 20) MiB of rows received, \(resultBytesSent >> 20) MiB of results sent",
      "  queue time \(queueTime.text); layout time \(layoutTime.text); batch time \(batchTime.text)",
    ]
  }
}

extension TimeHistogram {
  fileprivate var text: String {
    guard let median = quantile(0.5), let last = quantile(0.99) else { return "not measured yet" }
    return "p50 \(Self.milliseconds(median)) ms, p99 \(Self.milliseconds(last)) ms"
  }

  /// Returns seconds as milliseconds with two decimal places.
  private static func milliseconds(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 1e5).rounded())
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }
}
