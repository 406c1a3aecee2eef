import ArgumentParser
import Foundation
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
    let batches = try coordinator.batchesClient().batches()
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try Results.print(String(decoding: try encoder.encode(batches), as: UTF8.self))
    } else {
      try Results.print(Self.table(of: batches))
    }
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
    // The state can be long. It does not move the column behind it.
    let widths = heading.indices.map { column in
      min(([heading] + rows).map { $0[column].count }.max() ?? 0, 48)
    }
    return ([heading] + rows).map { row in
      let cells = zip(row, widths).map { $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension CoordinatorOptions {
  func batchesClient() throws -> BatchesClient {
    try waitForCoordinator()
    return try BatchesClient(try Context(), endpoint: connect, keys: try keys.clientKeys())
  }
}
