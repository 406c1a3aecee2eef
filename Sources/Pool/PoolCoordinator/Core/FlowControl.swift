import Buffers
import PoolProtocol

/// The bounds on unacknowledged rows of clients, on unacknowledged results, and on jobs that wait for workers. At a bound,
/// clients or workers wait. The coordinator never waits.
public struct FlowControl: Sendable {
  /// Bytes of all windows together.
  public var allWindows = 64 << 20
  /// Bytes of the window of one batch at most.
  public var largestWindow = 16 << 20
  /// Bytes of the window of one batch at least.
  public var smallestWindow = ProtocolLimits.chunkBytes / 8
  /// Bytes of the chunk that a client may send before it receives a window.
  public var firstChunk = ProtocolLimits.chunkBytes
  /// Bytes of the largest chunk: one of the wanted size, and the rest of its last line.
  public var largestChunk = ProtocolLimits.chunkBytes + Lines.maxLength + 1
  /// The smallest number of unassigned jobs of a batch at which no further chunk is cut. Later cuts use newer measurements of
  /// the time per row.
  public var queuedJobs = 8
  /// The same number per worker.
  public var queuedJobsPerWorker = 4
  /// Nanoseconds that results wait to be sent with later ones, because each message wakes threads.
  public var flushInterval: UInt64 = 1_000_000

  public init() {}

  /// Returns the largest number of unacknowledged bytes of stored results of a client, which decreases with the number of open
  /// batches.
  func resultWindow(batches: Int) -> Int { min(allWindows / max(batches, 1), largestWindow) }

  /// Returns the largest number of unacknowledged bytes of rows of a client. Their columns take about as many bytes per
  /// variant.
  func rowWindow(batches: Int, variants: Int) -> UInt64 {
    UInt64(max(resultWindow(batches: batches) / max(variants, 1), smallestWindow))
  }

  /// Returns the number of jobs of a batch up to which further chunks are cut.
  func queuedJobs(workers: Int) -> Int { max(queuedJobs, workers * queuedJobsPerWorker) }
}
