import Buffers
import PoolProtocol

/// The bounds on what is under way at a time: rows between clients and jobs, results between jobs and clients, and jobs
/// that wait for workers. Beyond them, clients or workers wait. The coordinator never waits.
public struct FlowControl: Sendable {
  /// Bytes of all windows together.
  public var allWindows = 64 << 20
  /// Bytes of the window of one batch at most.
  public var largestWindow = 16 << 20
  /// Bytes of the window of one batch at least.
  public var smallestWindow = ProtocolLimits.chunkBytes / 8
  /// Bytes of the chunk that a client may send before it has a window.
  public var firstChunk = ProtocolLimits.chunkBytes
  /// Bytes of the largest chunk: one of the wanted size, and the rest of its last line.
  public var largestChunk = ProtocolLimits.chunkBytes + Lines.maxLength + 1
  /// The number of jobs of a batch that are cut and not assigned, at least. Chunks beyond that are cut later, when more is
  /// known of how long rows take.
  public var queuedJobs = 8
  /// The same number per worker.
  public var queuedJobsPerWorker = 4
  /// Nanoseconds that results wait for others to be sent with them: each message costs wake-ups of threads.
  public var flushInterval: UInt64 = 1_000_000

  public init() {}

  /// Returns the bytes of stored results that may be on their way to a client: fewer for each the more batches are open.
  func resultWindow(batches: Int) -> Int { min(allWindows / max(batches, 1), largestWindow) }

  /// Returns the bytes of rows that a client may have under way: their columns take about as many bytes per variant.
  func rowWindow(batches: Int, variants: Int) -> UInt64 {
    UInt64(max(resultWindow(batches: batches) / max(variants, 1), smallestWindow))
  }

  /// Returns the number of jobs of a batch up to which further chunks are cut.
  func queuedJobs(workers: Int) -> Int { max(queuedJobs, workers * queuedJobsPerWorker) }
}
