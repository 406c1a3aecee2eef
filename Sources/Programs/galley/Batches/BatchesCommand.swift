import ArgumentParser
import PoolClient
import PoolProtocol
import ZeroMQ

struct BatchesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batches", abstract: "List all batches of a coordinator, with their age, state and size.",
    discussion: "Example: galley batches --connect ipc:///run/user/1000/galley")

  @OptionGroup var coordinator: CoordinatorOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let batches = try coordinator.coordinatorClient().batches()
    if json { try Results.print(batches, .prettyPrinted) } else { try Results.print(Self.table(of: batches)) }
  }

  /// Returns a line per batch, with columns that begin below each other.
  static func table(of batches: [PoolStatus.Batch]) -> String {
    let heading = ["NAME", "AGE", "ROWS DONE", "RECEIVED", "SIZE", "STATE", "INPUT"]
    let rows = batches.map { batch in
      [
        batch.name, TimeSpan.text(batch.age), "\(batch.rowsDone)", "\(batch.rowsReceived)",
        ByteSize.text(batch.journalBytes), batch.state + (batch.waiting.isEmpty ? "" : ": \(batch.waiting)"),
        batch.input,
      ]
    }
    let lines = [heading] + rows
    // Nothing is behind the last column.
    let widths = heading.indices.dropLast().map { column in lines.map { $0[column].count }.max() ?? 0 } + [0]
    return lines.map { line in
      let cells = zip(line, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension CoordinatorOptions {
  func coordinatorClient() throws -> CoordinatorClient {
    try waitForCoordinator()
    return try CoordinatorClient(try Context(), endpoint: connect, keys: try keys.clientKeys(), warn: warn)
  }
}
