import ArgumentParser
import BatchLayout
import GalleyWorker
import LayoutTables
import PoolClientCore
import Processes

struct FetchCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Wait until a detached batch is complete, and write its tables.",
    discussion: "Example: galley fetch mgx2k1c0 --output tables --connect ipc:///run/user/1000/galley")

  @Argument(help: "The name of the batch, which galley submit --detach and galley batches print.")
  var batch: String

  @OptionGroup var tables: TableOptions

  @OptionGroup var coordinator: CoordinatorOptions

  var log: LogOptions { tables.log }

  func validate() throws { _ = try tables.directory() }

  func run() throws {
    Interruption.catchSignals()
    let client = try coordinator.client()
    var started: (output: any RunOutput, programHash: [UInt8])?
    let read = try coordinator.suggesting(batch) {
      try client.fetch(
        batch, shouldStop: { Interruption.isRequested },
        begin: { kept in
          let output: any RunOutput =
            try tables.isStream
            ? StreamWriter(kept.variants, input: kept.input, tables)
            : TableWriter(kept.variants, input: kept.input, tables)
          started = (output, kept.program)
        },
        take: { try started?.output.append(JobTable.checked($1, rows: $0), bytes: 0) })
    }
    guard let started else { throw PoolError.silent }
    try started.output.finish(read, programHash: started.programHash, takenRows: nil)
    try client.complete()
    try started.output.report(tables, of: .fetch)
  }
}
