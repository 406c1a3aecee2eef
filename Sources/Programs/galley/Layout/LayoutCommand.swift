import ArgumentParser
import Foundation
import GalleyWorker
import PoolCoordinator
import Processes

struct LayoutCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Lay out rows with worker processes on this machine, and write the tables.",
    discussion: "Example: galley layout posts.jsonl --cells posts.yaml --width 390 --output tables")

  @OptionGroup var input: InputOptions
  @OptionGroup var variants: VariantOptions
  @OptionGroup var lines: LinesOption
  @OptionGroup var base: BaseOption
  @OptionGroup var tables: TableOptions

  @Option(help: "The number of worker processes. (default: \(Self.processors))")
  var workers: Int?

  @Flag(help: "Resume an interrupted run from its journal.")
  var resume = false

  @Flag(help: "Lay out in this process on one thread, without workers, to compare the pool with.")
  var inProcess = false

  private static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

  var log: LogOptions { tables.log }

  func validate() throws {
    guard (1...1024).contains(workers ?? 1) else { throw ValidationError("--workers is from 1 to 1024") }
    if inProcess && resume { throw ValidationError("--in-process keeps no journal to --resume from") }
    _ = try tables.directory()
    if tables.isStream && resume { throw ValidationError("--output - keeps no journal to --resume from") }
    try base.check(tables)
  }

  func run() throws {
    Interruption.catchSignals()
    let localWorkers = inProcess ? nil : try LocalWorkers(command: WorkerCommand.commandLine(log))
    let run = try BatchRun(
      input, variants.variants(hasLines: lines.lines), base: base, resendsRows: true, tables)
    if let localWorkers {
      try run.run(localWorkers, count: workers ?? Self.processors, resuming: resume, log: makeLog())
    } else {
      try run.runInProcess()
      if workers != nil { Messages.warning("--workers has no effect: --in-process starts no workers") }
    }
    try run.output.report(tables, of: .layout)
  }
}
