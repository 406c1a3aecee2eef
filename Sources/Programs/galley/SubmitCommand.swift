import ArgumentParser
import CellsFiles
import PoolClient
import Processes
import RowsFiles

struct SubmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Have a running coordinator lay out rows, and write the tables.",
    discussion:
      "Example: galley submit posts.jsonl --cells posts.yaml --width 390 --output tables --connect ipc:///run/user/1000/galley"
  )

  @OptionGroup var input: InputOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var priority: PriorityOption

  @Flag(help: "Leave the batch to the coordinator, and print the name by which galley fetch gets its tables.")
  var detach = false

  @OptionGroup var coordinator: CoordinatorOptions

  func validate() throws {
    if detach {
      guard tables.output == nil else {
        throw ValidationError("--output is for galley fetch when the batch is detached")
      }
    } else {
      _ = try tables.directory()
    }
  }

  func run() throws {
    Interruption.catchSignals()
    if detach {
      let name = try coordinator.client().submit(
        try BatchRequest(input, CellsFile(input.cells), priority: priority.priority), rows: try RowsReader(input.rows),
        shouldStop: { Interruption.isRequested })
      return print(name)
    }
    let run = try BatchRun(input, priority: priority.priority, tables)
    try run.batch.conclude(try run.run(coordinator.client()), tables)
  }
}
