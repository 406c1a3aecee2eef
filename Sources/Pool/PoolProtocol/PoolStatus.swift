/// The state of a coordinator.
public struct PoolStatus: Equatable, Encodable, Sendable {
  public var version = Version.current
  public var process: Int64 = 0
  /// Rows per second over the last seconds.
  public var rowsPerSecond = 0.0
  /// Resident memory, in bytes.
  public var memory: UInt64 = 0
  public var workers: [Worker] = []
  public var batches: [Batch] = []

  public init() {}

  public struct Worker: Equatable, Encodable, Sendable {
    public var name = ""
    public var process: Int64 = 0
    public var jobs: UInt32 = 0
    public var rows: UInt64 = 0
    /// The share of the texts' segments that the worker's cache had, 0 to 1.
    public var cacheHitRate = 0.0

    public init() {}
  }

  public struct Batch: Equatable, Encodable, Sendable {
    public var name = ""
    public var input = ""
    public var priority: Int32 = 0
    public var rowsReceived: UInt64 = 0
    public var rowsDone: UInt64 = 0
    /// The number of rows that were done before the coordinator was started.
    public var rowsRecovered: UInt64 = 0
    public var queued: UInt32 = 0
    public var running: UInt32 = 0
    public var retries: UInt32 = 0
    /// The reason why no job of the batch runs; empty when one does.
    public var waiting = ""

    public init() {}
  }
}
