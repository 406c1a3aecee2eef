/// The state of a coordinator. Its JSON has the names of the properties.
public struct PoolStatus: Equatable, Encodable, Sendable {
  public var version = Version.current
  public var pid: Int64 = 0
  /// The name of the coordinator's machine.
  public var host = ""
  /// Rows per second over the last seconds.
  public var rowsPerSecond = 0.0
  /// Resident memory, in bytes.
  public var memory: UInt64 = 0
  public var workers: [Worker] = []
  public var batches: [Batch] = []
  public var clients: [Client] = []
  /// The numbers of all workers, batches and clients. The lists can be shorter, because an envelope has a limit.
  public var workerCount: UInt32 = 0
  public var batchCount: UInt32 = 0
  public var clientCount: UInt32 = 0
  /// The number of batches whose journals cannot be written or read now, of all owners.
  public var pausedBatches: UInt32 = 0
  /// The bytes of journals and programs in the spool, and their limit; 0 without a limit.
  public var spoolBytes: UInt64 = 0
  public var spoolLimit: UInt64 = 0
  /// Whether the coordinator accepts batches.
  public var accepting = true
  /// The reason why it accepts none, or why batches pause; empty where there is none.
  public var obstacle = ""
  /// What the coordinator has counted since it was started, for all clients.
  public var metrics = PoolMetrics()

  public init() {}

  /// Returns what the coordinator has counted since an earlier state; nil if another coordinator has begun to count in between.
  public func metrics(since earlier: PoolStatus) -> PoolMetrics? {
    guard pid == earlier.pid, host == earlier.host, metrics.uptime >= earlier.metrics.uptime else { return nil }
    return metrics.since(earlier.metrics)
  }

  public struct Worker: Equatable, Encodable, Sendable {
    public var name = ""
    public var pid: Int64 = 0
    public var jobs: UInt32 = 0
    public var rows: UInt64 = 0
    /// The share of the texts' segments that the worker's cache had, 0 to 1.
    public var cacheHitRate = 0.0
    /// The name of its machine.
    public var host = ""
    /// The name of its key; empty where it needs none.
    public var key = ""
    /// The seconds since its last message.
    public var seen = 0.0
    /// The seconds for which it has been executing its job; 0 without a job.
    public var jobAge = 0.0
    /// Whether that job takes much longer than expected, or the worker has sent no message for some seconds.
    public var late = false

    public init() {}
  }

  /// The client of a batch.
  public struct Client: Equatable, Encodable, Sendable {
    /// The name of its machine.
    public var host = ""
    public var pid: Int64 = 0
    /// The name of its key; empty where it needs none.
    public var key = ""
    /// The name of its batch.
    public var batch = ""

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
    /// The seconds since the batch was submitted.
    public var age: UInt64 = 0
    /// The bytes of its journal in the spool.
    public var journalBytes: UInt64 = 0
    /// One of `receiving`, `running`, `paused`, `done`, `failed` and `unreadable`.
    public var state = ""
    /// The name of the key with which it was submitted; empty if there was none.
    public var owner = ""

    public init() {}
  }
}
