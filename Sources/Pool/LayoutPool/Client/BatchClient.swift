import BatchLayout
import Glibc
import LayoutTables
import PoolMessages
import ZeroMQ

/// Has a coordinator lay out batches: sends rows as there is room for them and takes results in row order. If the
/// coordinator keeps the batch, it may end and come back meanwhile.
public final class BatchClient {
  /// Milliseconds without a word from the coordinator, which pings, after which it is taken to be gone; after which a
  /// kept batch is asked for again; and after which that is given up.
  private static let patience = 20_000
  private static let attachEvery = 2000
  private static let keptPatience = 120_000

  /// Workers' memories that are kept open.
  static let maxWorkerMemories = 64

  let socket: Socket
  var lane: PeerLane?
  /// Whether the lane is offered: not where the coordinator's side of it was not seen.
  var sharesMemory = true
  /// Rows were told of that are not seen: until they come again, what comes is of no use.
  var hasLostRows = false
  /// By which the coordinator knows this client of the batch, and how often it was asked for it again.
  var session: UInt64 = 0
  var attempt: UInt32 = 0
  /// The number of the last batch.
  var number: UInt64 = 0
  var feed: RowsFeed?
  var rowsTaken: UInt64 = 0
  var isDetached = false
  /// By which the coordinator keeps the batch; empty if it does not.
  public private(set) var name = ""

  /// - Parameter keys: needed where the coordinator lets in by key.
  public init(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.setHighWaterMarks(send: 0, receive: 0)
    try socket.setHeartbeat(interval: 1000, timeout: 5000)
    try socket.connect(endpoint, keys)
  }

  /// Bytes of rows that were sent and whose results are not all in.
  public var bytesUnderWay: Int { feed?.bytesUnderWay ?? 0 }

  /// Takes the columns of the next rows, one frame a variant.
  public typealias Take = (_ rows: Int, _ columns: [Frame]) throws -> Void

  /// Runs a batch to its end.
  ///
  /// - Parameters:
  ///   - resuming: the name of a batch with the same request that the coordinator keeps: what it has done of the same
  ///     rows is not done again.
  ///   - shouldStop: asked between messages.
  /// - Throws: `PoolError`, `RowsError`, or what `take` throws.
  public func run(
    _ request: BatchRequest, rows: RowsReader, resuming kept: String? = nil, shouldStop: () -> Bool, take: Take
  ) throws {
    begin(RowsFeed(rows))
    if let kept { try attach(kept) } else { try submit(request) }
    try converse(request, shouldStop: shouldStop, take: take) { message in
      if case .done = message { return true }
      return false
    }
  }

  /// Hands a batch over to the coordinator, which keeps it from then on.
  ///
  /// - Returns: the name by which it can be fetched.
  public func submit(_ request: BatchRequest, rows: RowsReader, shouldStop: () -> Bool) throws -> String {
    begin(RowsFeed(rows))
    isDetached = true
    try submit(request)
    // Its results are somebody else's.
    try converse(request, shouldStop: shouldStop, take: { _, _ in }) { message in
      switch message {
      case .stored(let stored): stored.isComplete
      case .accepted(let accepted): accepted.isComplete
      default: false
      }
    }
    return name
  }

  /// Takes a kept batch to its end.
  ///
  /// - Parameter begin: called with what it is before its rows come.
  public func fetch(
    _ kept: String, shouldStop: () -> Bool, begin: (KeptBatch) throws -> Void, take: Take
  ) throws -> BatchInput {
    self.begin(nil)
    try attach(kept)
    var input: BatchInput?
    var hasBegun = false
    try converse(nil, shouldStop: shouldStop, take: take) { message in
      switch message {
      case .accepted(let accepted) where !hasBegun:
        hasBegun = true
        try begin(
          KeptBatch(
            name: accepted.name, programHash: [UInt8](accepted.program), variants: accepted.variants.map(\.variant),
            input: accepted.input))
      case .done(let done): input = BatchInput(bytes: done.inputBytes, hash: done.inputHash)
      default: break
      }
      return input != nil
    }
    guard let input else { throw PoolError.silent }
    return input
  }

  /// The tables are complete: the coordinator need not keep the batch.
  public func complete() throws(ZeroMQError) {
    guard !name.isEmpty else { return }
    var message = PoolFromClient()
    message.taken.batch = number
    message.taken.complete = true
    try send(message)
    // The word is on its way when the program ends.
    try socket.setLinger(1000)
  }

  /// Ends a batch that a coordinator has.
  public func cancel(_ name: String) throws {
    begin(nil)
    var message = PoolFromClient()
    message.cancel.batch = number
    message.cancel.name = name
    try send(message)
    try converse(nil, shouldStop: { false }, take: { _, _ in }) { message in
      if case .cancelled = message { return true }
      return false
    }
  }

  private func begin(_ feed: RowsFeed?) {
    self.feed = feed
    number += 1
    rowsTaken = 0
    isDetached = false
    name = ""
    // Memory to be shared with the coordinator, the same for all of a batch; none where that is not worth it.
    lane = feed?.isShort == true ? nil : PeerLane(others: Self.maxWorkerMemories)
    (sharesMemory, hasLostRows) = (true, false)
    (session, attempt) = (.random(in: 1 ... .max), 0)
  }

  // MARK: Conversation

  private func converse(
    _ request: BatchRequest?, shouldStop: () -> Bool, take: Take,
    until isOver: (PoolToClient.OneOf_Message) throws -> Bool
  ) throws {
    var silence = 0
    while true {
      if shouldStop() { throw PoolError.interrupted }
      while let chunk = try feed?.next(
        keeps: !name.isEmpty, waitsForResults: !isDetached,
        frame: { lane?.frame(copying: $0) ?? Frame(copying: $0) })
      {
        try send(chunk)
        // What comes makes room.
        if try socket.wait(milliseconds: 0) { break }
      }
      guard try socket.wait(milliseconds: 100) else {
        silence += 100
        if silence >= (name.isEmpty ? Self.patience : Self.keptPatience) { throw PoolError.silent }
        if !name.isEmpty && silence % Self.attachEvery == 0 { try attach(name) }
        continue
      }
      silence = 0
      while let parts = try socket.receive() {
        guard let envelope = parts.first?.withBytes({ Envelope.decode(PoolToClient.self, $0) }),
          let message = envelope.message, message.batch == number
        else { continue }
        guard try handle(message, Array(parts.dropFirst()), request, take) else { continue }
        if try isOver(message) { return }
      }
    }
  }

  /// Does what a message asks for; whether it counts.
  private func handle(
    _ message: PoolToClient.OneOf_Message, _ columns: [Frame], _ request: BatchRequest?, _ take: Take
  ) throws -> Bool {
    switch message {
    case .programWanted:
      if let request { try submit(request, with: request.program.share()) }
    case .accepted(let accepted):
      if let request, !request.asks(for: accepted.program, in: accepted.variants) {
        throw PoolError.otherRequest
      }
      name = accepted.name
      hasLostRows = false
      lane?.meet(accepted.memory)
      let goesOn = feed?.begin(
        window: Int(clamping: accepted.window), storedRows: accepted.storedRows, isComplete: accepted.isComplete,
        isKept: !name.isEmpty)
      if goesOn == false { throw PoolError.lostRows }
    case .stored(let stored):
      feed?.noteStored(upTo: stored.rows, isComplete: stored.isComplete)
    case .rows(let rows): return try handle([rows], columns, take)
    case .runs(let runs): return try handle(runs.rows, [], take)
    case .done(let done):
      if hasLostRows { return false }
      guard done.rows == rowsTaken else { throw PoolError.outOfOrder }
    case .failed(let failed): throw PoolError.failed(failed.reason)
    default: break
    }
    return true
  }

  /// Takes runs of rows in order; whether any of them were wanted.
  private func handle(_ runs: [PoolToClient.Rows], _ columns: [Frame], _ take: Take) throws -> Bool {
    let before = rowsTaken
    for rows in runs {
      let left = rows.hasColumns ? lane?.columns(rows.columns) : columns
      // Sent again, as the batch was asked for again.
      guard rows.firstRow >= rowsTaken, !hasLostRows else { continue }
      guard rows.firstRow == rowsTaken else { throw PoolError.outOfOrder }
      guard let columns = left else {
        try askAgain()
        continue
      }
      try take(Int(rows.rows), columns)
      rowsTaken += UInt64(rows.rows)
    }
    guard rowsTaken > before else { return false }
    feed?.release(upTo: rowsTaken)
    if !name.isEmpty { try sayTaken() }
    return true
  }

  /// Has the coordinator forget the batch that was begun.
  public func cancel() {
    var message = PoolFromClient()
    message.cancel.batch = number
    try? send(message)
    try? socket.setLinger(1000)
  }
}

extension PoolToClient.OneOf_Message {
  /// The client's number of the batch that it is about.
  fileprivate var batch: UInt64? {
    switch self {
    case .accepted(let message): message.batch
    case .rows(let message): message.batch
    case .runs(let message): message.batch
    case .done(let message): message.batch
    case .failed(let message): message.batch
    case .programWanted(let message): message.batch
    case .stored(let message): message.batch
    case .cancelled(let message): message.batch
    case .status, .ping: nil
    }
  }
}

/// Why a batch did not come to its end.
public enum PoolError: Error, Equatable {
  case failed(String)
  case silent
  case outOfOrder
  /// Columns are not where the coordinator said it had left them.
  case outOfSight
  /// The coordinator keeps fewer rows than it had said to keep.
  case lostRows
  case interrupted
  /// The kept batch was begun with other cells or variants.
  case otherRequest
}
