import Buffers
import PoolClientCore
import PoolProtocol

/// A client process: the product's core, which reads a simulated input and collects its results.
final class SimulatedClient {
  let process: Int64
  var core: ClientCore
  let memory: SimulatedMemorySystem
  let batch: Int
  let request: ClientRequest
  var isAlive = true
  var stoppedUntil: UInt64 = 0
  var connection: SimulatedConnection?
  /// The index of the next line to be read.
  private var nextLine = 0
  private var nextRow: UInt64 = 0
  /// The number of rows whose results were taken.
  var rowsTaken: UInt64 = 0

  init(_ process: Int64, memory: SimulatedMemorySystem, batch: Int, request: ClientRequest) {
    (self.process, self.memory, self.batch, self.request) = (process, memory, batch, request)
    core = ClientCore(memory: memory)
  }

  /// Reads the next lines of the input, about `bytes` of them.
  func read(_ input: SimulatedBatch, bytes: Int) -> ConversationEvent {
    guard nextLine <= input.lines.count else { return .rowsEnded }
    let first = nextLine
    var chunk: [UInt8] = []
    var rows: UInt32 = 0
    while nextLine < input.lines.count, chunk.count < bytes {
      let line = input.lines[nextLine]
      // The last line may have no end.
      chunk += line + (nextLine + 1 < input.lines.count || input.number % 2 == 0 ? [0x0a] : [])
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { rows += 1 }
      nextLine += 1
    }
    let isLast = nextLine == input.lines.count
    if isLast { nextLine += 1 }
    defer { nextRow += UInt64(rows) }
    return .rowsRead(
      RowsChunk(
        chunk.withUnsafeBytes { core.copyRows($0) }, firstLine: UInt64(first + 1), firstRow: nextRow, rows: rows,
        end: isLast ? Self.summary(of: input) : nil))
  }

  static func summary(of input: SimulatedBatch) -> InputSummary {
    InputSummary(bytes: UInt64(input.lines.reduce(0) { $0 + $1.count }), hash: "input \(input.number)")
  }
}
