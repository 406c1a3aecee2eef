import ArgumentParser
import BatchLayout
import PoolClientCore
import PoolLayouts
import Processes

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Write the tables of a batch that a coordinator keeps, when it is done.",
    discussion: "Example: galley fetch mgx2k1c0 --output tables --connect ipc:///run/user/1000/galley")

  @Argument(help: "The batch, as galley submit --detach and galley status name it.")
  var batch: String

  @OptionGroup var tables: TableOptions

  @OptionGroup var coordinator: CoordinatorOptions

  func validate() throws { _ = try tables.directory() }

  func run() throws {
    Interruption.catchSignals()
    let client = try coordinator.client()
    var begun: (batch: Batch, programHash: [UInt8])?
    let read = try client.fetch(
      batch, shouldStop: { Interruption.isRequested },
      begin: { kept in
        let variants = kept.description.variants.map { Variant($0) }
        begun = (try Batch(variants, input: kept.description.input, tables), kept.description.program)
      },
      take: { try begun?.batch.take($0, $1) })
    guard let begun else { throw PoolError.silent }
    let manifest = try begun.batch.finish(read, programHash: begun.programHash)
    try client.complete()
    try begun.batch.conclude(manifest, tables)
  }
}
