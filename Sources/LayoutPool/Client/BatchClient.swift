import BatchLayout
import Glibc
import LayoutTables
import PoolMessages
import ZeroMQ

/// Submits a batch to a coordinator: sends its rows as there is room for them and takes its results in row order.
public final class BatchClient {
  /// Bytes of a chunk.
  static let chunkBytes = 512 << 10
  /// Milliseconds without a word from the coordinator, which pings, after which it is taken to be gone.
  private static let patience = 20_000

  private let socket: Socket
  private var window = 0
  /// Chunks whose results are not all in: the row after their last, and their bytes.
  private var underWay: [(endRow: UInt64, bytes: Int)] = []
  /// The program's SHA-256, once the coordinator has told it.
  public private(set) var programHash: [UInt8] = []
  /// Bytes of rows that were sent and whose results are not all in.
  public private(set) var bytesUnderWay = 0

  /// - Parameter keys: needed where the coordinator lets in by key.
  public init(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.setHighWaterMarks(send: 0, receive: 0)
    try socket.setHeartbeat(interval: 1000, timeout: 5000)
    try socket.connect(endpoint, keys)
  }

  /// Runs a batch to its end.
  ///
  /// - Parameters:
  ///   - program: a `ProgramArchive`.
  ///   - take: called with the rows' number and the columns of each variant, in row order.
  ///   - shouldStop: asked between messages.
  /// - Throws: `PoolError`, `RowsError`, or what `take` throws.
  public func run(
    program: Frame, variants: [Variant], rows: RowsReader, shouldStop: () -> Bool,
    take: (_ rows: Int, _ columns: [Frame]) throws -> Void
  ) throws {
    try submit(program, variants)
    var rowsTaken: UInt64 = 0
    var sentAll = false
    var silence = 0
    while true {
      if shouldStop() {
        cancel()
        throw PoolError.interrupted
      }
      while !sentAll && window > 0 && (bytesUnderWay < window || underWay.isEmpty) {
        guard let chunk = try rows.next(bytes: min(Self.chunkBytes, window)) else { break }
        if chunk.rows > 0 || chunk.isLast { try send(chunk) }
        sentAll = chunk.isLast
        // Results come first: they make room.
        if try socket.wait(milliseconds: 0) { break }
      }
      guard try socket.wait(milliseconds: 100) else {
        silence += 100
        if silence >= Self.patience { throw PoolError.silent }
        continue
      }
      silence = 0
      while let parts = try socket.receive() {
        guard let first = parts.first, let envelope = Envelope.decode(PoolToClient.self, first.bytes) else { continue }
        switch envelope.message {
        case .accepted(let accepted)?:
          window = Int(clamping: accepted.window)
          programHash = [UInt8](accepted.program)
        case .rows(let message)?:
          guard message.firstRow == rowsTaken, parts.count == variants.count + 1 else { throw PoolError.outOfOrder }
          try take(Int(message.rows), Array(parts.dropFirst()))
          rowsTaken += UInt64(message.rows)
          release(upTo: rowsTaken)
        case .done(let done)?:
          guard done.rows == rowsTaken else { throw PoolError.outOfOrder }
          return
        case .failed(let failed)?: throw PoolError.failed(failed.reason)
        case .status?, .ping?, nil: break
        }
      }
    }
  }

  private func submit(_ program: Frame, _ variants: [Variant]) throws {
    var message = PoolFromClient()
    message.submit.version = Version.current
    message.submit.batch = 1
    message.submit.variants = variants.map { PoolVariant($0) }
    try send(message, [program])
  }

  private func send(_ chunk: RowsReader.Chunk) throws {
    var message = PoolFromClient()
    message.chunk.batch = 1
    message.chunk.firstLine = chunk.firstLine
    message.chunk.firstRow = chunk.firstRow
    message.chunk.rows = chunk.rows
    message.chunk.last = chunk.isLast
    let bytes = chunk.lines.count
    try send(message, [chunk.lines])
    underWay.append((chunk.firstRow + UInt64(chunk.rows), bytes))
    bytesUnderWay += bytes
  }

  private func release(upTo row: UInt64) {
    while let first = underWay.first, first.endRow <= row {
      bytesUnderWay -= first.bytes
      underWay.removeFirst()
    }
  }

  private func cancel() {
    var message = PoolFromClient()
    message.cancel.batch = 1
    try? send(message, [])
  }

  private func send(_ message: PoolFromClient, _ bulk: [Frame]) throws {
    var envelope = PoolToCoordinator()
    envelope.client = message
    _ = try socket.send([Frame(copying: Envelope.encode(envelope))] + bulk)
  }
}

/// Why a batch did not come to its end.
public enum PoolError: Error, Equatable {
  case failed(String)
  case silent
  case outOfOrder
  case interrupted
}
