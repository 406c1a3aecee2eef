import PoolMessages
import ZeroMQ

/// A batch that the coordinator knows: what was asked, by whom, and how far it is.
final class OpenBatch {
  /// The connection of the client that sends or fetches it, and the client's own number for it.
  struct Client: Hashable {
    let identity: [UInt8]
    let number: UInt64
  }

  /// Of a job.
  struct Results {
    let firstRow: UInt64
    let rows: UInt32
    let columns: [Frame]
  }

  let id: BatchID
  let programID: [UInt8]
  let variants: [PoolVariant]
  let priority: Int32
  /// The rows' file, as the client named it.
  let input: String
  @exclusivity(unchecked) var client: Client?
  /// By which the client is known when it comes by another connection, and how often it has asked for the batch.
  var session: UInt64 = 0
  var attempt: UInt32 = 0
  /// If the client shares memory.
  @exclusivity(unchecked) var lane: CoordinatorLane?
  /// Results that the client is still to be told of, in order, and when it was last told of some.
  @exclusivity(unchecked) var untold: [Results] = []
  @exclusivity(unchecked) var toldAt: UInt64 = 0
  /// Whether somebody looks after that.
  @exclusivity(unchecked) var awaitsTelling = false
  /// Whether the client wants the results: one that detaches does not.
  var sendsResults = true
  /// Whether rows come as results go, so that what is between them has room in memory. Those of a batch that was
  /// detached or recovered come all at once and are read from its journal when they are needed.
  var isHeldInMemory = true

  /// Lines that workers were shown who went without an answer and may read on: they are not given back to the client as
  /// long as those may do so and the batch lasts.
  var strays: [(lines: JobBytes, reader: PeerMemory)] = []

  /// Rows that have come.
  var nextRow: UInt64 = 0
  /// Chunks that have come and are not cut into jobs yet.
  @exclusivity(unchecked) var uncut: ArraySlice<(chunk: JobBytes, isLast: Bool)> = []
  /// The last rows have come.
  var isComplete = false
  var inputBytes: UInt64 = 0
  var inputHash = ""
  /// Rows in all, once all are done.
  var doneRows: UInt64?
  /// The client knows that.
  var isEndTold = false

  /// Only of a batch that is kept.
  let journal: BatchJournal?
  /// Whether its rows are not kept, but come again if it is to go on after a restart.
  let resendsRows: Bool
  /// Results of before a restart, by first row.
  var recovered: [UInt64: BatchJournal.StoredResult] = [:]
  /// Results in row order that the client has not got or has not said to have taken, and those before, as long as the
  /// batch is kept.
  var outbox = Outbox()
  /// Why it ended, if nobody was there to be told.
  var failure: String?
  /// The beginning of the envelope of each of its jobs.
  private(set) lazy var jobHead: [UInt8] = {
    var envelope = PoolToWorker()
    envelope.job.program = .init(programID)
    envelope.job.variants = variants
    return Envelope.encode(envelope)
  }()
  /// Nanoseconds of the monotonic clock when its client went, if its rows have not all come.
  var abandonedAt: UInt64?

  init(
    id: BatchID, programID: [UInt8], variants: [PoolVariant], priority: Int32, input: String,
    client: Client?, journal: BatchJournal?, resendsRows: Bool
  ) {
    self.id = id
    self.programID = programID
    self.variants = variants
    self.priority = priority
    self.input = input
    self.client = client
    self.journal = journal
    self.resendsRows = resendsRows
  }

  /// By which people and journals call it.
  var name: String { Self.name(id) }

  static func name(_ id: BatchID) -> String { String(id, radix: 36) }
  static func id(_ name: String) -> BatchID? { BatchID(name, radix: 36) }
}

/// The stored results of a kept batch on their way to a client, so many bytes of them at a time.
struct Outbox {
  private var results: [BatchJournal.StoredResult] = []
  private var sent = 0
  private var taken = 0
  private var bytesUnderWay = 0

  mutating func append(_ result: BatchJournal.StoredResult) { results.append(result) }

  var isAllSent: Bool { sent == results.count }

  /// The next results, if the client has room for them.
  mutating func next(window: Int) -> BatchJournal.StoredResult? {
    guard sent < results.count, bytesUnderWay < window else { return nil }
    defer { sent += 1 }
    bytesUnderWay += results[sent].bytes
    return results[sent]
  }

  /// Results that are the next and are at hand are sent at once; false if the client has no room for them.
  mutating func sendAtOnce(_ result: BatchJournal.StoredResult, window: Int) -> Bool {
    let isNext = isAllSent && bytesUnderWay < window
    results.append(result)
    if isNext {
      sent += 1
      bytesUnderWay += result.bytes
    }
    return isNext
  }

  /// The client has the rows before this one.
  mutating func take(upTo row: UInt64) {
    while taken < sent, results[taken].firstRow + UInt64(results[taken].rows) <= row {
      bytesUnderWay -= results[taken].bytes
      taken += 1
    }
  }

  /// A client begins anew at a row; false if no result begins there.
  mutating func restart(at row: UInt64) -> Bool {
    let end = results.last.map { $0.firstRow + UInt64($0.rows) } ?? 0
    guard let place = row == end ? results.count : results.firstIndex(where: { $0.firstRow == row }) else {
      return false
    }
    (sent, taken, bytesUnderWay) = (place, place, 0)
    return true
  }
}
