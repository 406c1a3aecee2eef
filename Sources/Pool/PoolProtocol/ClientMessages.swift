import Buffers

/// A message that a client sends.
public enum ClientMessage: Sendable {
  /// Opens a batch.
  case submit(Submit)
  /// A requested part of the batch's program: its offset, and the size of the whole program.
  case program(batch: UInt64, offset: UInt64, size: UInt64)
  /// Continues a batch that the coordinator keeps.
  case attach(Attach)
  /// The next lines of a batch, which are a part of the message where it does not refer to the client's memory. `checksum`: the
  /// XXH3 of the lines; zero for none. `seenToken`: the token of the coordinator's memory that the client has mapped; zero for
  /// none.
  case chunk(batch: UInt64, RowsChunk<SharedRange?>, checksum: UInt64, seenToken: UInt64 = 0)
  /// The client has processed the rows before `rows` of a kept batch. `seenToken`: the token of the coordinator's memory that
  /// the client has mapped; zero for none.
  case acknowledge(batch: UInt64, rows: UInt64, seenToken: UInt64)
  /// The tables are complete, and the coordinator can remove the batch.
  case complete(batch: UInt64)
  /// Ends the client's own batch.
  case cancel(batch: UInt64)
  /// Ends any batch that the coordinator has, by its name.
  case cancelNamed(batch: UInt64, name: String)
  /// Ends all batches whose journals the coordinator can read.
  case cancelAll(batch: UInt64)
  case status
  /// Requests the batches that follow the one with this name, or the first ones if it is empty.
  case listBatches(after: String)

  public struct Submit: Sendable {
    public var version: String
    /// The client's own number for the batch.
    public var batch: UInt64
    public var description: BatchDescription
    /// Whether the batch continues without the client and waits to be fetched.
    public var isDetached: Bool
    /// The client's memory, if it offers any.
    public var memory: MemoryReference
    /// A random number that identifies the client on another connection.
    public var session: UInt64
    public var origin: PeerOrigin

    public init(
      version: String, batch: UInt64, description: BatchDescription, isDetached: Bool, memory: MemoryReference,
      session: UInt64, origin: PeerOrigin = .unknown
    ) {
      self.origin = origin
      (self.version, self.batch, self.description) = (version, batch, description)
      (self.isDetached, self.memory, self.session) = (isDetached, memory, session)
    }
  }

  public struct Attach: Sendable {
    public var version: String
    /// The client's own number for the batch from now on.
    public var batch: UInt64
    public var name: String
    /// The first row whose results are wanted.
    public var firstRow: UInt64
    /// The client's memory, if it offers any.
    public var memory: MemoryReference
    /// The session of `Submit`, if this client submitted the batch.
    public var session: UInt64
    /// The number of this request in its session. A request on an earlier connection can arrive later.
    public var attempt: UInt32
    /// Whether the client has the rows of the batch and sends those that the coordinator does not have.
    public var sendsRows: Bool
    public var origin: PeerOrigin

    public init(
      version: String, batch: UInt64, name: String, firstRow: UInt64, memory: MemoryReference, session: UInt64,
      attempt: UInt32, sendsRows: Bool, origin: PeerOrigin = .unknown
    ) {
      self.origin = origin
      (self.version, self.batch, self.name, self.firstRow) = (version, batch, name, firstRow)
      (self.memory, self.session, self.attempt, self.sendsRows) = (memory, session, attempt, sendsRows)
    }
  }
}

/// A message that the coordinator sends to a client. `batch` is the client's own number.
public enum MessageToClient: Sendable {
  /// Chunks may be sent.
  case accepted(Accepted)
  /// The coordinator needs a part of the program. Rows that were sent before are to be sent again.
  case programWanted(batch: UInt64, ProgramRequest)
  /// The coordinator has no such batch on this connection: the connection was replaced, or the coordinator was restarted.
  case unknown(batch: UInt64)
  /// The rows before `rows` are in the journal.
  case stored(batch: UInt64, rows: UInt64, isComplete: Bool)
  /// The results of the next rows, in order.
  case rows(batch: UInt64, [ResultRun<SharedRange?>])
  /// All results have been sent.
  case done(batch: UInt64, rows: UInt64, input: InputSummary)
  case failed(batch: UInt64, reason: String)
  /// `count`: the number of batches that were cancelled.
  case cancelled(batch: UInt64, count: UInt64)
  /// It is indirect because it is large and rare, and would determine the size of every effect of a coordinator.
  indirect case status(PoolStatus)
  /// The next batches of a list. `hasMore`: others follow the last one.
  case batches([PoolStatus.Batch], hasMore: Bool)
  /// The batch waits for the reason, such as a full disk. The reason is empty when the batch continues.
  case waiting(batch: UInt64, reason: String)
  /// Needs no reply. A failed send means that the client has disconnected.
  case ping

  public struct Accepted: Sendable {
    public var batch: UInt64
    /// The largest number of bytes in unacknowledged chunks. For a kept batch, chunks count until they are stored, otherwise
    /// until their results were received.
    public var window: UInt64
    /// The name by which the batch can be fetched; empty when it is not kept.
    public var name: String
    /// The number of rows that the coordinator has stored.
    public var storedRows: UInt64
    /// Whether it has all rows.
    public var isComplete: Bool
    public var description: BatchDescription
    /// The coordinator's memory for this batch.
    public var memory: MemoryReference

    public init(
      batch: UInt64, window: UInt64, name: String, storedRows: UInt64, isComplete: Bool,
      description: BatchDescription, memory: MemoryReference
    ) {
      (self.batch, self.window, self.name) = (batch, window, name)
      (self.storedRows, self.isComplete, self.description, self.memory) = (storedRows, isComplete, description, memory)
    }
  }

  /// The client's number of the batch that the message is about.
  public var batch: UInt64? {
    switch self {
    case .accepted(let accepted): accepted.batch
    case .programWanted(let batch, _), .unknown(let batch), .stored(let batch, _, _), .rows(let batch, _),
      .done(let batch, _, _), .failed(let batch, _), .cancelled(let batch, _), .waiting(let batch, _):
      batch
    case .status, .batches, .ping: nil
    }
  }
}

/// The results of a run of rows. `Columns` is the columns of each variant, or states where they are: in a message, ranges of
/// shared memory, or nil where the columns are the parts of the message; in a journal, ranges of it.
public struct ResultRun<Columns> {
  public var firstRow: UInt64
  public var rows: UInt32
  public var columns: Columns
  /// The XXH3 of the columns of each variant, which the worker has computed; none in journals of version 0.5.0 and before.
  public var checksums: [UInt64]
  /// The XXH3 of the number of the first line and of the lines, which later shows whether the rows have changed; zero for lost
  /// lines and in received messages.
  public var linesHash: UInt64

  public init(firstRow: UInt64, rows: UInt32, columns: Columns, checksums: [UInt64], linesHash: UInt64 = 0) {
    (self.firstRow, self.rows, self.columns) = (firstRow, rows, columns)
    (self.checksums, self.linesHash) = (checksums, linesHash)
  }

  public var endRow: UInt64 { firstRow &+ UInt64(rows) }

  /// Returns the results with `columns`, which are the same columns in another form or memory.
  public func moved<Other>(to columns: Other) -> ResultRun<Other> {
    ResultRun<Other>(firstRow: firstRow, rows: rows, columns: columns, checksums: checksums, linesHash: linesHash)
  }
}

extension ResultRun: Sendable where Columns: Sendable {}
