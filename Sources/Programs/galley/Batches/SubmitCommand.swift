import ArgumentParser
import CellsFiles
import GalleyWorker
import PoolClient
import Processes
import RowsFiles

struct SubmitCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Lay out rows with a running coordinator, and write the tables.",
    discussion:
      "Example: galley submit posts.jsonl --cells posts.yaml --width 390 --output tables --connect ipc:///run/user/1000/galley"
  )

  @OptionGroup var input: InputOptions
  @OptionGroup var variants: VariantOptions
  @OptionGroup var lines: LinesOption
  @OptionGroup var base: BaseOption
  @OptionGroup var tables: TableOptions

  @Option(help: "The priority of the batch. Batches of a higher priority are laid out first.")
  var priority: Int32 = 0

  @Flag(help: "Return when the coordinator has stored the rows, and print the name of the batch for galley fetch.")
  var detach = false

  @OptionGroup var coordinator: CoordinatorOptions

  var log: LogOptions { tables.log }

  func validate() throws {
    if detach {
      guard tables.output == nil else {
        throw ValidationError("--detach and --output exclude each other; give --output to galley fetch")
      }
      guard base.base == nil else {
        throw ValidationError(
          "--detach and --base exclude each other; the rows of --base are not sent to the coordinator")
      }
    } else {
      _ = try tables.directory()
      try base.check(tables)
    }
  }

  func run() throws {
    Interruption.catchSignals()
    let variants = try variants.variants(hasLines: lines.lines)
    if detach {
      if !unusedOptions.isEmpty {
        Messages.warning("--detach writes no tables; give \(unusedOptions.joined(separator: ", ")) to galley fetch")
      }
      let request = try BatchRequest(input, variants, KnownProgram(input.cells, cache: .ofUser), priority: priority)
      let rows = try RowsReader(input.rows)
      let client = try coordinator.client()
      return try client.leavingBatch {
        try Results.print(client.submit(request, rows: rows, shouldStop: { Interruption.isRequested }))
      }
    }
    let run = try BatchRun(
      input, variants, base: base, priority: priority, tables)
    try run.run(coordinator.client())
    try run.output.report(tables, of: .layout)
  }

  /// The given options that have an effect only where the tables are written.
  private var unusedOptions: [String] {
    [
      ("--columns", tables.columns != nil), ("--image-scale", tables.imageScale != nil), ("--force", tables.force),
      ("--strict", tables.strict), ("--json", tables.json),
    ].filter(\.1).map(\.0)
  }
}
