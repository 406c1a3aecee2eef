import PoolProtocol

extension PoolMetrics {
  init(_ message: PoolToClient.Metrics) {
    self.init()
    uptime = message.uptime.bounded(in: 0...ProtocolLimits.timeLimit)
    (batchesAccepted, batchesRecovered) = (message.batchesAccepted, message.batchesRecovered)
    (batchesDone, batchesFailed) = (message.batchesDone, message.batchesFailed)
    batchesCancelled = message.batchesCancelled
    (jobsDone, rowsDone) = (message.jobsDone, message.rowsDone)
    (retries, lostWorkers) = (message.retries, message.lostWorkers)
    (jobsCopied, resultsRefused) = (message.jobsCopied, message.resultsRefused)
    workerRestarts = message.workerRestarts
    (keysRefused, connectionsClosed) = (message.keysRefused, message.connectionsClosed)
    (rowBytesReceived, resultBytesSent) = (message.rowBytesReceived, message.resultBytesSent)
    queueTime = TimeHistogram(message.queueTime)
    layoutTime = TimeHistogram(message.layoutTime)
    batchTime = TimeHistogram(message.batchTime)
  }

  var message: PoolToClient.Metrics {
    .with {
      $0.uptime = uptime
      ($0.batchesAccepted, $0.batchesRecovered) = (batchesAccepted, batchesRecovered)
      ($0.batchesDone, $0.batchesFailed) = (batchesDone, batchesFailed)
      $0.batchesCancelled = batchesCancelled
      ($0.jobsDone, $0.rowsDone) = (jobsDone, rowsDone)
      ($0.retries, $0.lostWorkers) = (retries, lostWorkers)
      ($0.jobsCopied, $0.resultsRefused, $0.workerRestarts) = (jobsCopied, resultsRefused, workerRestarts)
      ($0.keysRefused, $0.connectionsClosed) = (keysRefused, connectionsClosed)
      ($0.rowBytesReceived, $0.resultBytesSent) = (rowBytesReceived, resultBytesSent)
      $0.queueTime = queueTime.message
      $0.layoutTime = layoutTime.message
      $0.batchTime = batchTime.message
    }
  }
}

extension TimeHistogram {
  fileprivate init(_ message: PoolToClient.TimeHistogram) {
    self.init(counts: message.counts, nanoseconds: message.nanoseconds)
  }

  fileprivate var message: PoolToClient.TimeHistogram {
    .with { ($0.counts, $0.nanoseconds) = (counts, nanoseconds) }
  }
}
