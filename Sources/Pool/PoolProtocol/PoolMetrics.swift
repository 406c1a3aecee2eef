/// The counters of a coordinator since its start.
public struct PoolMetrics: Equatable, Encodable, Sendable {
  /// The time since the start in seconds; 0 where the coordinator reports no metrics.
  public var uptime = 0.0
  /// The batches that clients submitted, and those that an earlier coordinator had kept. Each of them is counted by one of the
  /// next three numbers, or is still open.
  public var batchesAccepted: UInt64 = 0
  public var batchesRecovered: UInt64 = 0
  /// The batches whose rows are all done.
  public var batchesDone: UInt64 = 0
  public var batchesFailed: UInt64 = 0
  /// The batches that ended before they were done because they were cancelled, or because their clients were lost.
  public var batchesCancelled: UInt64 = 0
  /// The jobs and rows whose results workers have sent.
  public var jobsDone: UInt64 = 0
  public var rowsDone: UInt64 = 0
  /// The number of times that a job was sent again because its worker was lost.
  public var retries: UInt64 = 0
  /// The workers that ended, disconnected or were disconnected without leaving in good order.
  public var lostWorkers: UInt64 = 0
  /// The copies of late jobs that were sent to other workers.
  public var jobsCopied: UInt64 = 0
  /// The replies to jobs that were refused: results whose checksums or values are wrong, and jobs that were returned as damaged or
  /// because their program could not be used.
  public var resultsRefused: UInt64 = 0
  /// The worker processes of the coordinator's own that were started in the place of others.
  public var workerRestarts: UInt64 = 0
  /// The connections that were refused because of their keys, and those that were closed because they exceeded a bound.
  public var keysRefused: UInt64 = 0
  public var connectionsClosed: UInt64 = 0
  /// The bytes of rows that clients have sent, and the bytes of results that they were sent.
  public var rowBytesReceived: UInt64 = 0
  public var resultBytesSent: UInt64 = 0
  /// The times for which the rows of jobs waited: from when they were received, and stored if the batch is kept, until the
  /// job was sent to a worker for the first time.
  public var queueTime = TimeHistogram()
  /// The times from when jobs were sent to workers until their results were received.
  public var layoutTime = TimeHistogram()
  /// The times from when batches were accepted until the last of their results was sent to the client. Batches that were
  /// detached or recovered do not count, because no client waited for them all the time.
  public var batchTime = TimeHistogram()

  public init() {}

  /// Returns the difference from an earlier state of the same coordinator.
  func since(_ earlier: PoolMetrics) -> PoolMetrics {
    var difference = PoolMetrics()
    difference.uptime = uptime - earlier.uptime
    for counter in Self.counters {
      difference[keyPath: counter] = self[keyPath: counter] - min(self[keyPath: counter], earlier[keyPath: counter])
    }
    for histogram in Self.histograms {
      difference[keyPath: histogram] = self[keyPath: histogram].since(earlier[keyPath: histogram])
    }
    return difference
  }

  private static var counters: [WritableKeyPath<PoolMetrics, UInt64>] {
    [
      \.batchesAccepted, \.batchesRecovered, \.batchesDone, \.batchesFailed, \.batchesCancelled, \.jobsDone, \.rowsDone,
      \.retries, \.lostWorkers, \.jobsCopied, \.resultsRefused, \.workerRestarts, \.keysRefused, \.connectionsClosed,
      \.rowBytesReceived, \.resultBytesSent,
    ]
  }

  private static var histograms: [WritableKeyPath<PoolMetrics, TimeHistogram>] {
    [\.queueTime, \.layoutTime, \.batchTime]
  }
}
