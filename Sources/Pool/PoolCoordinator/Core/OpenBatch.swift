import Buffers
import PoolMemory
import PoolProtocol
import PoolScheduler

/// A batch that the coordinator has accepted.
final class OpenBatch {
  let id: BatchID
  let description: BatchDescription
  /// Whether the batch has a journal, and outlives its client and the coordinator.
  let isKept: Bool
  /// Whether rows come as results leave, so that what is between them has room in memory. The rows and results of a batch
  /// that was detached or recovered come all at once, and are read from its journal when they are needed.
  let isHeldInMemory: Bool
  let setup: JobSetup
  /// See `CoordinatorCore` for the attribute.
  @exclusivity(unchecked) var state: State

  /// What changes of a batch.
  struct State {
    var phase: Phase
    var client: ClientConnection?
    /// The last client that has disconnected.
    var lostClient: ClientConnection.ID?
    /// The time in nanoseconds at which the batch was accepted, until its end was sent; nil if its client does not wait for
    /// results.
    var acceptedAt: UInt64?
    /// The random number by which the last client is recognized on another connection (zero for none), and the number of
    /// its last request for the batch.
    var lastAttempt: (session: UInt64, number: UInt32) = (0, 0)
    /// The sessions of clients whose batch another client took over, the last ones.
    fileprivate(set) var replacedSessions: [UInt64] = []
    /// The time in nanoseconds after which the rest of the rows is not expected any more, if there is no client to send it.
    var givenUpAt: UInt64?
    /// The time in nanoseconds after which the batch is removed, if it is done and there is no client.
    var expiresAt: UInt64?

    // MARK: Rows

    /// The number of rows that have come.
    var receivedRows: UInt64 = 0
    /// What was read from the input, once the last rows have come.
    var input: InputSummary?
    /// The number of rows that the journal has, and whether it has all.
    var storedRows: UInt64 = 0
    var isStored = false
    /// The rows that the client has under way.
    var window = RowWindow()
    /// The number of times that rows differed from their checksums.
    fileprivate(set) var damagedRows = 0
    /// The chunks that are not cut into jobs yet.
    var uncut: ArraySlice<UncutChunk> = []

    // MARK: Results

    /// The results of before a restart, by first row.
    var recovered: [UInt64: StoredResult] = [:]
    /// The results of a kept batch.
    var results = ResultQueue()
    /// Results that are sent together with the next ones, in order.
    var unsent: [JobResult.Columns] = []
    /// The time of the last message with results, in nanoseconds.
    var flushedAt: UInt64 = 0
    /// Whether the batch is listed in `CoordinatorCore.unflushed`.
    var awaitsFlush = false
    /// Lines that lost workers were shown and may still read. They are not released as long as those workers can read them
    /// and the batch lasts.
    var linesOfLostWorkers: [(lines: JobLines, reader: PeerMemory)] = []

    // MARK: Journal

    var appends = JournalQueue<Append>()
    var reads = JournalQueue<Read>()
    /// The bytes of the journal, and of the rows and of the results in it.
    var journalBytes = 0
    var rowBytes = 0
    var resultBytes = 0
    /// The nanoseconds that the journal had not been written when the coordinator was started; zero once it has.
    var journalAge: UInt64 = 0
    /// Whether the journal is damaged so that rows are lost. It is set aside when the batch ends.
    var isDamaged = false
    /// Whether a damaged record may have had the last rows.
    var isDoubtful = false
    /// Whether chunks were refused while the batch paused, and are to be sent again.
    var hasRefusedRows = false

    var isReadingResults: Bool {
      reads.contains {
        if case .results = $0 { true } else { false }
      }
    }

    /// Why the journal cannot be written or read now; nil when it can.
    var pauseReason: String? { appends.pause?.reason ?? reads.pause?.reason }
  }

  enum Phase {
    /// The journal is being created.
    case creating
    /// Rows come, are laid out, and their results are delivered.
    case open
    /// All rows are done.
    case done(rows: UInt64)
    /// The batch failed, and its client learns the reason when it comes back.
    case failed(reason: String)
  }

  struct UncutChunk {
    let header: LinesHeader
    let isLast: Bool
    /// The time in nanoseconds since when the rows can be laid out.
    var readySince: UInt64
    var source: Source

    enum Source {
      case memory(OwnedBytes)
      case journal(JournalRange)
      /// The journal is being read.
      case reading
      /// The lines are lost, because the journal is damaged.
      case lost
    }
  }

  enum Append {
    case chunk(UncutChunk, lines: OwnedBytes, end: InputSummary?)
    case result(JobResult, linesHash: UInt64)
    case end(JournalEnd)
  }

  enum Read {
    case chunk(JournalRange)
    /// `fetch`: the value of `ClientConnection.fetch` at that time.
    case results(JobResult, fetch: UInt64)
  }

  init(_ id: BatchID, _ description: BatchDescription, isKept: Bool, isHeldInMemory: Bool, phase: Phase) {
    (self.id, self.description, self.isKept, self.isHeldInMemory) = (id, description, isKept, isHeldInMemory)
    state = State(phase: phase)
    setup = JobSetup(program: description.program, variants: description.variants)
  }

  /// The number of replaced sessions that are remembered.
  private static let maxReplacedSessions = 16

  /// Another client takes over. The last one is needed no more if all rows have come.
  func noteTakeover() {
    guard isComplete, state.lastAttempt.session != 0 else { return }
    state.replacedSessions.append(state.lastAttempt.session)
    if state.replacedSessions.count > Self.maxReplacedSessions { state.replacedSessions.removeFirst() }
  }

  /// The number of times that rows may differ from their checksums: somebody may change them while they are read.
  private static let maxDamagedRows = 100

  /// Rows differed from their checksum. Returns whether that has happened too often.
  func noteDamagedRows() -> Bool {
    state.damagedRows += 1
    return state.damagedRows >= Self.maxDamagedRows
  }

  /// Whether the last rows have come.
  var isComplete: Bool { state.input != nil }

  /// The name by which people and journals know the batch.
  var name: String { BatchName.text(id) }
}

extension JobResult {
  /// Results whose columns are in memory.
  struct Columns {
    let firstRow: UInt64
    let rows: UInt32
    let parts: [OwnedBytes]
    /// The XXH3 of each part.
    let checksums: [UInt64]

    init(_ result: JobResult, _ parts: [OwnedBytes]) {
      (firstRow, rows, self.parts) = (result.firstRow, result.rows, parts)
      checksums = result.checksums.isEmpty ? parts.map(\.checksum) : result.checksums
    }

    var bytes: Int { parts.reduce(0) { $0 + $1.count } }
  }
}

/// The client of a batch.
struct ClientConnection {
  /// The connection, the holder of its key, and the client's own number for the batch.
  struct ID: Hashable {
    let identity: PeerIdentity
    let holder: KeyHolder
    let number: UInt64
  }

  let id: ID
  let origin: PeerOrigin
  /// Nil where the client does not share memory.
  var channel: CoordinatorMemoryChannel?
  /// Whether the client wants the results: one that detaches does not.
  let wantsResults: Bool
  /// Whether the end of the batch was sent to the client.
  var isEndSent = false
  /// The number of this connection among all, by which reads for an earlier one are recognized.
  let fetch: UInt64
}
