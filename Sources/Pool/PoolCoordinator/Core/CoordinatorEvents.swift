import Buffers
import LayoutEngine
import LogLevels
import PoolProtocol
import PoolScheduler

/// An event outside of a coordinator's core.
public enum CoordinatorEvent: Sendable {
  /// A message was received. Its parts are those behind the envelope. `by`: the holder of the key with which it was sent.
  case message(MessageToCoordinator, [OwnedBytes], from: PeerIdentity, by: KeyHolder = .withoutKey)
  /// Bytes were received that are not a message, or not the one that the peer has sent.
  case malformedMessage(from: PeerIdentity, by: KeyHolder = .withoutKey)
  /// A message could not be sent: the peer has disconnected, or does not read.
  case unreachable(PeerIdentity)
  /// The batches that the spool has. It comes before any message, and again for journals that are to be read again.
  case recovered([RecoveredBatch])
  /// The journal of a batch was created and has this number of bytes.
  case journalCreated(BatchID, bytes: Int)
  /// A record was written. The parts of the record have these ranges in the journal, which has this number of bytes now.
  case appended(BatchID, [JournalRange], bytes: Int)
  /// Bytes were read from the journal.
  case read(BatchID, [OwnedBytes])
  /// The journal of a batch cannot be created, written or read.
  case journalFailed(BatchID, JournalFailure)
  /// A worker process was started. It registers with this session, which no other process knows.
  case processStarted(Int64, session: UInt64)
  case processStartFailed(reason: String)
  case processEnded(Int64, how: String)
  /// The loop has measured itself, for the status.
  case measured(LoopMeasures)
  /// Time has passed; see `CoordinatorCore.nextTick`.
  case tick
  /// The coordinator is to end. `drains`: batches that are not kept are finished first.
  case stop(drains: Bool)
}

/// An effect that the loop of a coordinator carries out.
public enum CoordinatorEffect: Sendable {
  case message(MessageEffect)
  case journal(JournalEffect)
  case process(ProcessEffect)
  case log(LogLevel, String)
  /// Everything is finished.
  case end
}

/// A message that is sent.
public enum MessageEffect: Sendable {
  case sendToWorker(MessageToWorker, [OwnedBytes], PeerIdentity)
  case sendToClient(MessageToClient, [OwnedBytes], PeerIdentity)
}

/// An operation on the spool.
public enum JournalEffect: Sendable {
  /// Creates the journal of a batch, after its program is stored if there is one here.
  case createJournal(BatchID, BatchDescription, program: OwnedBytes?)
  /// Writes a record behind the last one. `synchronizes`: it is to survive a failure of the machine before the event.
  case append(BatchID, JournalRecord, synchronizes: Bool)
  case read(BatchID, [JournalRange])
  /// Reads the journal of a batch again that could not be read.
  case recoverJournal(BatchID)
  case removeJournal(BatchID)
  /// Keeps a journal that cannot be used out of the way, so that people can look at it.
  case setAsideJournal(BatchID)
  /// Removes all stored programs but these.
  case removePrograms(except: Set<ProgramID>)
}

/// An operation on the worker processes of the coordinator's own.
public enum ProcessEffect: Sendable {
  case startProcess
  case killProcess(Int64)
}

/// A batch as the spool has it.
public struct RecoveredBatch: Sendable {
  public let id: BatchID
  public let contents: JournalContents
  /// Nil when it is not stored, or damaged.
  public let program: OwnedBytes?
  public let failure: Failure?
  /// The size of the journal.
  public let bytes: Int
  /// The milliseconds since the journal was written.
  public let age: UInt64

  public enum Failure: Sendable {
    /// The journal or the program cannot be read for a cause that can pass.
    case unreadable(reason: String)
    /// An earlier coordinator has set the journal aside.
    case setAside
  }

  public init(
    _ id: BatchID, _ contents: JournalContents, program: OwnedBytes?, bytes: Int = 0, age: UInt64 = 0
  ) {
    (self.id, self.contents, self.program, self.bytes, self.age) = (id, contents, program, bytes, age)
    failure = nil
  }

  public init(_ id: BatchID, _ failure: Failure, bytes: Int = 0) {
    (self.id, self.failure, self.bytes) = (id, failure, bytes)
    (contents, program, age) = (JournalContents(), nil, 0)
  }
}

/// The reason why a journal cannot be created, written or read.
public struct JournalFailure: Sendable {
  public enum Operation: Sendable {
    case create, append, read
  }

  public let operation: Operation
  public let reason: String
  /// Whether the operation may succeed later, as on a full disk.
  public let canPass: Bool

  public init(_ operation: Operation, reason: String, canPass: Bool) {
    (self.operation, self.reason, self.canPass) = (operation, reason, canPass)
  }
}

/// What a loop measures of its process and of its socket.
public struct LoopMeasures: Equatable, Sendable {
  /// The bytes of memory of the process.
  public var memory: UInt64 = 0
  /// The number of connections that were refused because of their keys.
  public var keysRefused: UInt64 = 0
  /// The number of connections that were closed because of what they had not received.
  public var connectionsClosed: UInt64 = 0

  public init() {}
}

/// What a coordinator needs to know of layouts. It passes columns on as bytes.
public struct LayoutFormat: Sendable {
  /// Returns what is wrong with the columns of one variant for this number of rows; nil when nothing is.
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
