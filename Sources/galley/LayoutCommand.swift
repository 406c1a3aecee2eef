import ArgumentParser
import Foundation
import GalleyWorker
import LayoutPool

struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Lay out rows with worker processes of its own and write the tables.",
    discussion: "Example: galley layout posts.jsonl --cells posts.yaml --width 390 --output tables")

  @OptionGroup var batch: BatchOptions

  @Option(help: "Worker processes.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "Lay out in this process on one thread, without workers: the yardstick of the pool.")
  var inProcess = false

  func validate() throws {
    guard (1...1024).contains(workers) else { throw ValidationError("--workers is from 1 to 1024") }
  }

  func run() throws {
    Interruption.catchSignals()
    let run = try Batch(batch)
    if inProcess { try run.runInProcess() } else { try run.run(workers: workers, log: batch.log.log()) }
    try Self.conclude(run, batch)
  }

  /// Completes the tables and says what they hold.
  static func conclude(_ run: Batch, _ options: BatchOptions) throws {
    let manifest = try run.finish()
    if options.json {
      print(String(decoding: try manifest.encoded(), as: UTF8.self), terminator: "")
    } else if !options.log.quiet {
      print("\(options.output): \(manifest.summary)")
    }
    if run.reportBadRows() { throw ExitCode(ExitStatus.badRows) }
  }
}
