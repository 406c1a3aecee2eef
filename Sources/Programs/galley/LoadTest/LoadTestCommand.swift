import ArgumentParser
import BatchLayout
import CellsFiles
import Foundation
import GalleyWorker
import LayoutTables
import LoadTesting
import PoolClient
import Processes
import RowsFiles
import ZeroMQ

struct LoadTestCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "loadtest", abstract: "Measure throughput and latency of batches under load.",
    discussion: """
      Example: galley loadtest --connect ipc:///run/user/1000/galley --rate 20 --batch-rows 100,1000 --svg load.svg

      Without --rate, each client submits its next batch when the previous one is complete (closed loop). With --rate, \
      batches arrive at random times at that rate (open loop), and the latency of a batch includes the time that it \
      waits for a client. The exit code is 1 if a batch fails, or is not complete 10 seconds after the measured time.
      """)

  @Argument(
    help: "A file of rows as JSON Lines, or - for standard input; repeated as needed. Default: the rows of the demo.",
    completion: .file())
  var rows: String?

  @Option(help: "The cells file, YAML or JSON. Default: that of the demo.", completion: .file())
  var cells: String?

  @Option(
    help: "The widths of the list in points, such as 390 or 320,390 or 320-430/10. (default: 390)",
    transform: VariantOptions.reading(WidthList.init))
  var width = WidthList(390)

  @OptionGroup var device: DeviceOptions

  @Option(help: "The endpoint of the coordinator.")
  var connect: String?

  @OptionGroup var keys: ClientKeyOptions

  @OptionGroup var wait: WaitOption

  @Option(help: "The rows per batch. Several sizes, such as 100,1000, are mixed in equal numbers.")
  var batchRows = NumberList(1000)

  @Option(
    help: """
      The number of concurrent batches. Default: 4; with --rate up to 256; with --sweep-workers N 2 N for every pool.
      """)
  var clients: Int?

  @Option(
    help:
      "The batches per second of an open loop. With --sweep, the first rate; default: 10 batches in --duration.")
  var rate: Double?

  @Option(help: "The measured time in seconds.")
  var duration = 10.0

  @Option(help: "The time of load before the measured time, in seconds.")
  var warmUp = 2.0

  @Flag(help: "Find the highest rate at which the 99th percentile of latency stays below --p99.")
  var sweep = false

  @Option(help: "The limit of latency for --sweep, in milliseconds.")
  var p99: Double?

  @Option(help: "Compare the throughput of pools of 1 up to this number of workers, which are started for the test.")
  var sweepWorkers: Int?

  @Option(
    help: ArgumentHelp(
      "Exit with code 1 if this condition is met, such as p99>500ms, errors>0 or rows/s<10000. Can be repeated.",
      discussion: "Without a condition about errors, a batch that fails or is late and a bad row fail the run.",
      valueName: "condition"),
    transform: { try LoadThreshold($0) })
  var failIf: [LoadThreshold] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: "Write a plot of latency and throughput to this file.", completion: .file())
  var svg: String?

  @OptionGroup var log: LogOptions

  func run() throws {
    Interruption.catchSignals()
    if let svg { try Self.checkIsWritable(svg) }
    let load = try self.load()
    if let connect { try wait.waitForCoordinator(at: connect, keys: keys) }
    if let sweepWorkers {
      try comparePools(upTo: sweepWorkers, load)
    } else if let p99 {
      try findHighestRate(p99: p99, load)
    } else {
      try measure(load)
    }
    if Interruption.isRequested { throw ExitCode(Interruption.exitCode) }
  }

  private func load() throws -> Load {
    let cells = try cells.map { try CellsFile($0) } ?? CellsFile(text: DemoFonts.cellsFile(), path: "demo.yaml")
    if let svg {
      let inputs = [self.rows, self.cells].compactMap { $0 } + cells.referencedFiles
      try InputFiles.check(svg, of: "--svg \(svg)", replacesNoneOf: inputs)
    }
    let rows = try rows.map { try RowsReader($0) } ?? DemoFeed.reader(rows: Self.demoRows)
    return Load(
      BatchRequest(
        program: try cells.archive(),
        variants: try device.variants(width),
        input: "load test \(getpid())"),
      rows: try LoadRows(rows),
      mix: BatchMix(sizes: batchRows.numbers.map { Int($0) }), describe: { Program.message(of: $0) ?? "\($0)" })
  }

  /// The number of rows of the demo that are repeated.
  private static let demoRows = 10_000

  /// Measures one run and prints its report.
  private func measure(_ load: Load) throws {
    let progress = LoadTestProgress(quiet: log.quiet)
    let report = try LoadRun.run(
      load, try Context(), endpoint: connect ?? "", keys: try keys.clientKeys(), pace: pace,
      clients: clients ?? pace.clients, span: span(grace: Self.grace), failIf: failIf, report: { progress.show($0) })
    progress.end()
    if json { try Self.print(report) } else { try Results.print(report.text) }
    if let svg { try ResultFile.write(Array(LoadPlot.svg(report).utf8), to: svg) }
    if !report.passes && !Interruption.isRequested { throw ExitCode(ExitStatus.failed) }
  }

  /// The time in seconds within which batches have to complete after the measured time.
  static let grace = 10.0

  private var pace: Pace { rate.map { .open(batchesPerSecond: $0) } ?? .closed }

  func span(grace: Double) -> LoadSpan { LoadSpan(warmUp: warmUp, duration: duration, grace: grace) }

  static func print(_ value: some Encodable) throws {
    try Results.print(value, [.prettyPrinted, .withoutEscapingSlashes])
  }

  /// Throws before the run if its plot cannot be written after it.
  private static func checkIsWritable(_ path: String) throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(directory, W_OK) == 0 else {
      throw RunFailure(message: "\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}

extension Pace {
  /// The default number of concurrent batches.
  fileprivate var clients: Int { self == .closed ? 4 : Load.maxClients }
}
