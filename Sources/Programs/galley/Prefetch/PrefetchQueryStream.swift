import Buffers
import CellTemplates
import ListTables

/// Answers queries line by line, in their order. A bad query has an answer that states the error.
struct PrefetchQueryStream: ~Copyable {
  /// The number of bytes of answers that are written at once if more queries wait.
  private static let outputSize = 64 << 10
  /// The number of bad queries that are reported one by one.
  private static let reportLimit = 5

  private let input: PrefetchInput
  private let reader: PrefetchQueryReader
  private let writer: PrefetchAnswerWriter
  private var output: ResultOutput
  private var queryCount = 0
  private var badCount = 0

  init(
    _ input: PrefetchInput, _ planner: PrefetchPlanner, _ defaults: IncompletePrefetchQuery, hasResources: Bool
  ) throws {
    self.input = input
    reader = PrefetchQueryReader(defaults, planner.placement.axis)
    writer = PrefetchAnswerWriter(planner, hasResources: hasResources)
    output = try ResultOutput(partSize: Self.outputSize)
  }

  /// Answers all queries. Returns the number of bad ones.
  mutating func run() throws -> Int {
    // A program may wait for these replies before it sends the next query.
    try input.forEachLine(onPause: { try output.flush() }) { line, number in
      queryCount += 1
      answer(line, number)
      try output.writePart()
    }
    try output.finish()
    if badCount > 0 {
      Messages.warning(
        "\(badCount) of \(queryCount) queries \(badCount == 1 ? "is bad; its answer has" : "are bad; their answers have")"
          + " the member \"error\""
      )
    }
    return badCount
  }

  private mutating func answer(_ line: ByteString, _ number: UInt64) {
    do {
      guard line.count <= PrefetchInput.maxLength else {
        throw CellError("is longer than \(PrefetchInput.maxLength) bytes, the limit for a query")
      }
      try writer.append(try reader.query(line), to: &output.text)
    } catch let error as CellError {
      refuse("\(input.name):\(number): \(error.message)")
    } catch {
      // The tables are damaged at a row of this query, or have changed since they were opened.
      refuse("\(input.name):\(number): \(error)")
    }
  }

  private mutating func refuse(_ error: String) {
    badCount += 1
    if badCount <= Self.reportLimit { Messages.warning(error) }
    output.text.append(#"{"error":"#, error)
    output.text.append("}\n")
  }
}
