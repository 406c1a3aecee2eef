import Buffers
import PoolProtocol
import PoolScheduler

/// What happened outside of a coordinator's core.
public enum CoordinatorEvent: Sendable {
  /// A message came. Its parts are those behind the envelope. `by`: the holder of the key with which it was sent.
  case message(MessageToCoordinator, [OwnedBytes], from: PeerIdentity, by: KeyHolder = .withoutKey)
  /// Bytes came that are not a message.
  case malformedMessage
  /// A message could not be sent: the peer has disconnected, or does not read.
  case unreachable(PeerIdentity)
  /// The batches that the journals have. It comes once, before any message.
  case recovered([RecoveredBatch])
  /// The journal of a batch was created.
  case journalCreated(BatchID)
  /// A record is in the journal, where its parts have these ranges. The events of a batch come in the order of the
  /// effects.
  case appended(BatchID, [JournalRange])
  /// Bytes were read from the journal. The events of a batch come in the order of the effects.
  case read(BatchID, [OwnedBytes])
  /// The journal of a batch cannot be created, written or read.
  case journalFailed(BatchID, reason: String)
  case processStarted(Int64)
  case processStartFailed(reason: String)
  case processEnded(Int64, how: String)
  /// Time has passed; see `CoordinatorCore.nextTick`.
  case tick
  /// The coordinator is to end. `drains`: batches that are not kept are finished first.
  case stop(drains: Bool)
}

/// What a coordinator's core wants done, in this order.
public enum CoordinatorEffect: Sendable {
  case sendToWorker(MessageToWorker, [OwnedBytes], PeerIdentity)
  case sendToClient(MessageToClient, [OwnedBytes], PeerIdentity)
  /// Creates the journal of a batch, after its program is stored if there is one here.
  case createJournal(BatchID, BatchDescription, program: OwnedBytes?)
  /// Writes a record behind the last one. `synchronizes`: it is to survive a failure of the machine before the event.
  case append(BatchID, JournalRecord, synchronizes: Bool)
  case read(BatchID, [JournalRange])
  case removeJournal(BatchID)
  /// Keeps a journal that cannot be used out of the way, so that people can look at it.
  case setAsideJournal(BatchID)
  /// Removes all stored programs but these.
  case removePrograms(except: Set<ProgramID>)
  case startProcess
  case killProcess(Int64)
  case log(LogLevel, String)
  /// Everything is finished.
  case end
}

/// A batch as its journal has it.
public struct RecoveredBatch: Sendable {
  public let id: BatchID
  public let contents: JournalContents
  /// Nil when it is not stored, or damaged.
  public let program: OwnedBytes?
  /// The reason why the journal cannot be read, if it cannot.
  public let failure: String?

  public init(_ id: BatchID, _ contents: JournalContents, program: OwnedBytes?, failure: String? = nil) {
    (self.id, self.contents, self.program, self.failure) = (id, contents, program, failure)
  }
}

/// The time of an event.
public struct EventTime: Sendable {
  /// Nanoseconds of a clock that never goes back.
  public var monotonic: UInt64
  /// Milliseconds since 1970.
  public var sinceEpoch: UInt64

  public init(monotonic: UInt64, sinceEpoch: UInt64) { (self.monotonic, self.sinceEpoch) = (monotonic, sinceEpoch) }
}

/// What a coordinator needs to know of layouts. It passes columns on as bytes.
public struct LayoutFormat: Sendable {
  /// Whether rows can be laid out for a variant.
  public let isValid: @Sendable (BatchVariant) -> Bool
  /// Returns what is wrong with the columns of one variant for this number of rows; nil when nothing is.
  public let flaw: @Sendable (OwnedBytes, Int) -> String?
  /// Returns the columns of one variant for a row without layout, with its id and its error.
  public let failedRow: @Sendable (_ id: String, _ error: String) -> OwnedBytes

  public init(
    isValid: @escaping @Sendable (BatchVariant) -> Bool,
    flaw: @escaping @Sendable (OwnedBytes, Int) -> String?,
    failedRow: @escaping @Sendable (_ id: String, _ error: String) -> OwnedBytes
  ) {
    (self.isValid, self.flaw, self.failedRow) = (isValid, flaw, failedRow)
  }
}
