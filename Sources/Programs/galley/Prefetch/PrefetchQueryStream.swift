import Buffers
import ListTables
import Processes

/// Answers queries line by line, in their order. A bad query has an answer that states the error.
struct PrefetchQueryStream: ~Copyable {
  /// The number of bytes of answers that are written at once if more queries wait.
  private static let outputSize = 64 << 10
  /// The number of bad queries that are reported one by one.
  private static let reportLimit = 5

  private let input: PrefetchInput
  private let reader: PrefetchQueryReader
  private var answers: PrefetchAnswerText
  private var queryCount = 0
  private var badCount = 0

  init(_ input: PrefetchInput, _ planner: PrefetchPlanner, _ defaults: IncompletePrefetchQuery, hasResources: Bool) {
    self.input = input
    reader = PrefetchQueryReader(defaults, planner.placement.axis)
    answers = PrefetchAnswerText(planner, hasResources: hasResources)
  }

  /// Answers all queries. Returns the number of bad ones.
  mutating func run() throws -> Int {
    while true {
      while let line = input.next() {
        queryCount += 1
        answer(line)
        if answers.count >= Self.outputSize { try flush() }
      }
      if input.isAtEnd { break }
      // A program may wait for the answers before it writes more queries.
      if !input.hasWaitingBytes { try flush() }
      try input.read()
    }
    try flush()
    if badCount > 0 {
      Messages.warning(
        "\(badCount) of \(queryCount) queries \(badCount == 1 ? "is bad; its answer has" : "are bad; their answers have")"
          + " the member \"error\""
      )
    }
    return badCount
  }

  private mutating func answer(_ line: PrefetchInput.Line) {
    do {
      guard case .text(let text) = line else {
        throw PrefetchLineError("is longer than \(PrefetchInput.maxLength) bytes, the limit for a query")
      }
      try answers.append(try reader.query(text))
    } catch let error as PrefetchLineError {
      refuse("\(input.position): \(error.reason)")
    } catch {
      // The tables are damaged at a row of this query, or have changed since they were opened.
      refuse("\(input.position): \(error)")
    }
  }

  private mutating func refuse(_ error: String) {
    badCount += 1
    if badCount <= Self.reportLimit { Messages.warning(error) }
    answers.append(error: error)
  }

  private mutating func flush() throws {
    guard answers.count > 0 else { return }
    try Results.print(answers.text, terminator: "")
    answers.removeAll()
  }
}
