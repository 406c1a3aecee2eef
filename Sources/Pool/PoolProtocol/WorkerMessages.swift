import Buffers
import LayoutEngine
import Synchronization

/// A message that a worker sends.
public enum WorkerMessage: Sendable {
  /// The worker registers.
  case hello(Hello)
  /// The worker begins to execute a job. If the worker ends from now on, the job counts as the cause.
  case started(JobReference)
  /// A job is done. Its columns, one part per variant, are in the message or in the worker's memory.
  case result(Result)
  /// The worker needs a part of a program for its next job.
  case programWanted(ProgramRequest)
  /// The worker has not begun the job, because it lacks the job's lines or program. `isInvisible`: it cannot map the memory of
  /// the lines.
  case missing(JobReference, isInvisible: Bool)
  /// The columns of a job are too large for a message.
  case tooLarge(JobReference)
  /// The worker cannot execute any job of the batch, because its program cannot be used.
  case failure(JobReference, reason: String)
  /// The worker leaves and takes no more jobs.
  case goodbye
  /// Shows that the worker runs, while it has no other message to send.
  case alive

  public struct Hello: Equatable, Sendable {
    public var version: String
    public var origin: PeerOrigin
    /// The number of jobs that the worker takes at a time.
    public var credit: UInt32
    /// The worker's memory, if it offers any.
    public var memory: MemoryReference
    /// A random number that identifies the worker on another connection; zero for none. The coordinator gives it to the worker
    /// processes that it starts.
    public var session: UInt64
    /// A number that differs where workers can have different cell classes in Swift; zero for a worker without such classes.
    public var cells: UInt64

    public init(
      version: String = Version.current, origin: PeerOrigin = .unknown,
      credit: UInt32 = UInt32(ProtocolLimits.jobsOfWorker), memory: MemoryReference = .none, session: UInt64 = 0,
      cells: UInt64 = 0
    ) {
      (self.version, self.origin, self.credit) = (version, origin, credit)
      (self.memory, self.session, self.cells) = (memory, session, cells)
    }
  }

  public struct Result: Equatable, Sendable {
    public var job: JobReference
    public var rows: UInt32
    /// Nanoseconds of the layout.
    public var duration: UInt64
    /// The share of the texts' segments that the worker's caches have had since its start, 0 to 1.
    public var cacheHitRate: Double
    /// The job that the worker begins now, if it has one.
    public var next: JobReference?
    /// The columns in the worker's memory; nil when they are parts of the message.
    public var columns: SharedRange?
    /// The XXH3 of the columns of each variant.
    public var checksums: [UInt64]
    /// The token of the coordinator's memory that the worker has mapped; zero for none.
    public var seenToken: UInt64

    public init(
      job: JobReference, rows: UInt32, duration: UInt64, cacheHitRate: Double, next: JobReference? = nil,
      columns: SharedRange? = nil, checksums: [UInt64] = [], seenToken: UInt64 = 0
    ) {
      (self.job, self.rows, self.duration, self.cacheHitRate) = (job, rows, duration, cacheHitRate)
      (self.next, self.columns, self.checksums, self.seenToken) = (next, columns, checksums, seenToken)
    }
  }
}

/// An attempt at a job. Replies to an earlier attempt are ignored.
public struct JobReference: Hashable, Sendable {
  public var job: UInt64
  public var attempt: UInt32

  public init(_ job: UInt64, attempt: UInt32) { (self.job, self.attempt) = (job, attempt) }
}

/// A message that the coordinator sends to a worker.
public enum MessageToWorker: Sendable {
  case job(Job)
  /// A part of a program, or all of it.
  case program(ProgramPart)
  /// The worker is not accepted.
  case refused(reason: String)
  /// The worker finishes its jobs, then ends.
  case drain
  /// Needs no reply. A failed send means that the worker has disconnected.
  case ping
  /// The worker is registered. The coordinator offers its memory if it sees the worker's.
  case welcome(MemoryReference)

  public struct Job: Sendable {
    public var reference: JobReference
    /// The program and the variants, which all jobs of a batch share.
    public var setup: JobSetup
    /// The rows, and the range of their lines in shared memory; nil when the lines are a part of the message.
    public var chunk: RowsChunk<SharedRange?>
    /// Seconds after which the worker ends itself; zero: never.
    public var deadline: UInt32
    /// The XXH3 of the lines; zero for none.
    public var checksum: UInt64

    public init(
      _ reference: JobReference, setup: JobSetup, chunk: RowsChunk<SharedRange?>, deadline: UInt32, checksum: UInt64
    ) {
      (self.reference, self.setup, self.chunk) = (reference, setup, chunk)
      (self.deadline, self.checksum) = (deadline, checksum)
    }
  }

  public struct ProgramPart: Sendable {
    public var program: ProgramID
    /// The bytes of the whole program; zero when the coordinator has removed it.
    public var size: UInt64
    /// The offset of the bytes in the part of the message.
    public var offset: UInt64
    /// The whole program in shared memory, apart from `files`; nil when there is a part.
    public var shared: SharedRange?
    /// The files whose bytes follow those in shared memory.
    public var files: [SharedFile]

    public init(
      _ program: ProgramID, size: UInt64, offset: UInt64 = 0, shared: SharedRange? = nil, files: [SharedFile] = []
    ) {
      (self.program, self.size, self.offset, self.shared, self.files) = (program, size, offset, shared, files)
    }
  }
}

/// The part of the envelope that all jobs of a batch share. It is encoded once per batch.
public final class JobSetup: Sendable {
  public let program: ProgramID
  public let variants: [Variant]
  private let encoding = Mutex<[UInt8]>([])

  public init(program: ProgramID, variants: [Variant]) { (self.program, self.variants) = (program, variants) }

  /// Returns the beginning of the envelope of each job of the batch, which `encode` makes the first time.
  public func encoded(_ encode: (JobSetup) -> [UInt8]) -> [UInt8] {
    encoding.withLock { bytes in
      if bytes.isEmpty { bytes = encode(self) }
      return bytes
    }
  }
}
