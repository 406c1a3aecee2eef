import ArgumentParser
import BatchLayout
import GalleyWorker
import PoolClientCore
import PoolLayouts
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
    var started: (writer: TableWriter, programHash: [UInt8])?
    let read = try coordinator.suggesting(batch) {
      try client.fetch(
        batch, shouldStop: { Interruption.isRequested },
        begin: { kept in
          let variants = kept.description.variants.map { Variant($0) }
          started = (try TableWriter(variants, input: kept.description.input, tables), kept.description.program)
        },
        take: { try started?.writer.append($0, $1) })
    }
    guard let started else { throw PoolError.silent }
    let manifest = try started.writer.finish(read, programHash: started.programHash)
    try client.complete()
    try started.writer.report(manifest, tables)
  }
}
