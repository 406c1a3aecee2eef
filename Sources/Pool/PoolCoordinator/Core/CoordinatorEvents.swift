import Buffers
import LogLevels
import PoolProtocol
import PoolScheduler

/// An event outside of a coordinator's core.
public enum CoordinatorEvent: Sendable {
  /// A message was received. Its parts are those behind the envelope. `by`: the holder of the key with which it was sent.
  case message(MessageToCoordinator, [OwnedBytes], from: PeerIdentity, by: KeyHolder = .withoutKey)
  /// Bytes were received that are not a message, or differ from their checksum.
  case malformedMessage(from: PeerIdentity, by: KeyHolder = .withoutKey)
  /// A message could not be sent, because the peer has disconnected or its queue is full.
  case unreachable(PeerIdentity)
  /// The batches in the spool. This event precedes all messages, and is repeated for journals that are read again.
  case recovered([RecoveredBatch])
  /// The journal of a batch was created with this number of bytes.
  case journalCreated(BatchID, bytes: Int)
  /// A record was written. Its parts have these ranges in the journal, whose size is now `bytes`.
  case appended(BatchID, [JournalRange], bytes: Int)
  /// Bytes were read from the journal.
  case read(BatchID, [OwnedBytes])
  /// The journal of a batch cannot be created, written or read. `canPass`: the operation may succeed later, as on a full disk.
  case journalFailed(BatchID, JournalOperation, reason: String, canPass: Bool)
  /// A worker process was started. It registers with this session, which is secret to both processes.
  case processStarted(Int64, session: UInt64)
  case processStartFailed(reason: String)
  case processEnded(Int64, how: String)
  /// The loop has measured its process and its socket for the status: the bytes of memory of the process, and the numbers of
  /// connections that were refused because of their keys, and that were closed because they exceeded a bound.
  case measured(memory: UInt64, keysRefused: UInt64, connectionsClosed: UInt64)
  /// Time has passed; see `CoordinatorCore.nextTick`.
  case tick
  /// A shutdown was requested. `drains`: batches that are not kept are finished first.
  case stop(drains: Bool)
}

/// An effect that the loop of a coordinator carries out.
public enum CoordinatorEffect: Sendable {
  case sendToWorker(MessageToWorker, [OwnedBytes], PeerIdentity)
  case sendToClient(MessageToClient, [OwnedBytes], PeerIdentity)
  case journal(JournalEffect)
  /// Starts a worker process of the coordinator's own.
  case startProcess
  case killProcess(Int64)
  case log(LogLevel, String)
  /// The coordinator has finished and the loop ends.
  case end
}

/// An operation on the spool.
public enum JournalEffect: Sendable {
  /// Stores the program of a batch, if it is given, and creates the batch's journal.
  case createJournal(BatchID, BatchDescription, program: OwnedBytes?)
  /// Appends a record. `synchronizes`: the record must survive a failure of the machine before the event is reported.
  case append(BatchID, JournalRecord<OwnedBytes>, synchronizes: Bool)
  case read(BatchID, [JournalRange])
  /// Repeats a failed reading of a journal.
  case recoverJournal(BatchID)
  case removeJournal(BatchID)
  /// Renames an unusable journal, so that people can examine it.
  case setAsideJournal(BatchID)
  /// Removes all stored programs except these.
  case removePrograms(except: Set<ProgramID>)
}

/// A batch in the spool.
public struct RecoveredBatch: Sendable {
  public let id: BatchID
  public let journal: Journal
  /// The size of the journal.
  public let bytes: Int

  public enum Journal: Sendable {
    /// `program`: nil if it is missing or damaged. `age`: the milliseconds since the journal was written.
    case read(JournalContents, program: OwnedBytes?, age: UInt64 = 0)
    /// The temporary reason why the journal or the program cannot be read.
    case unreadable(reason: String)
    /// An earlier coordinator has set the journal aside.
    case setAside
  }

  public init(_ id: BatchID, _ journal: Journal, bytes: Int = 0) {
    (self.id, self.journal, self.bytes) = (id, journal, bytes)
  }
}

/// An operation on a journal that can fail.
public enum JournalOperation: Sendable {
  case create, append, read
}

/// The operations on columns that a coordinator needs. All else treats columns as bytes.
public struct LayoutFormat: Sendable {
  /// Returns the error in the columns of one variant with this number of rows; nil if they are valid.
  public let flaw: @Sendable (OwnedBytes, Int) -> String?
  /// Returns the columns of one variant for rows without layout, with the number of each as its id, and their error.
  public let failedRows: @Sendable (_ rows: Range<UInt64>, _ error: String) -> OwnedBytes

  public init(
    flaw: @escaping @Sendable (OwnedBytes, Int) -> String?,
    failedRows: @escaping @Sendable (_ rows: Range<UInt64>, _ error: String) -> OwnedBytes
  ) {
    (self.flaw, self.failedRows) = (flaw, failedRows)
  }
}
