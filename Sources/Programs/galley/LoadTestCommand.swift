import ArgumentParser
import BatchLayout
import CellsFiles
import Foundation
import GalleyWorker
import LoadTesting
import PoolClient
import PoolSecurity
import Processes
import RowsFiles
import ZeroMQ

struct LoadTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loadtest", abstract: "Measure throughput and latency of batches under load.",
    discussion: """
      Example: galley loadtest --connect ipc:///run/user/1000/galley --rate 20 --batch-rows 100,1000 --svg load.svg

      Without --rate each client submits its next batch when the last one has ended (closed loop). With it, batches \
      arrive at random at that rate whether or not earlier ones have ended (open loop), and a batch's latency counts \
      from when it was to start. Exit code 1 if a batch fails or has not ended 10 seconds after the measured time.
      """)

  @Argument(help: "Rows as JSON Lines, repeated as needed; - for standard input. By default the demo's.")
  var rows: String?

  @Option(help: "The cells file, YAML or JSON. By default the demo's.")
  var cells: String?

  @Option(
    help: "Widths of the list in points, such as 390 or 320,390 or 320-430/10.", transform: { try WidthList($0) })
  var width = WidthList(390)

  @Option(help: "Factors on font sizes and line heights, such as 1,1.35.")
  var textScale = NumberList(1)

  @Option(help: "Device pixels a point, such as 2 or 2,3.")
  var scale = NumberList(2)

  @Option(help: "The coordinator's endpoint.")
  var connect: String?

  @OptionGroup var keys: ClientKeyOptions

  @Option(help: "Rows a batch; of several sizes, such as 100,1000, batches have each equally often, mixed.")
  var batchRows = NumberList(1000)

  @Option(help: "Batches at a time; by default 4, with --rate at most 256, with --sweep-workers 2 a worker.")
  var clients: Int?

  @Option(
    help:
      "Batches a second, arriving at random: an open loop. With --sweep the first rate; by default 10 batches in all.")
  var rate: Double?

  @Option(help: "Seconds that are measured.")
  var duration = 10.0

  @Option(help: "Seconds of load before those.")
  var warmUp = 2.0

  @Flag(help: "Find the highest rate at which the 99th percentile of latency stays below --p99.")
  var sweep = false

  @Option(help: "Milliseconds, for --sweep.")
  var p99: Double?

  @Option(help: "Start pools of 1 up to so many workers in place of --connect, and compare their throughput.")
  var sweepWorkers: Int?

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: "Draw latency and throughput into this file.")
  var svg: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    try LoadTestOptions.check(self)
  }

  func run() throws {
    Interruption.catchSignals()
    if let svg { try Self.checkIsWritable(svg) }
    let load = try self.load()
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
    var variants = VariantOptions()
    (variants.width, variants.textScale, variants.scale) = (width, textScale, scale)
    let cells = try cells.map { try CellsFile($0) } ?? CellsFile(text: DemoFonts.cellsFile(), path: "demo.yaml")
    let rows = try rows.map { try RowsReader($0) } ?? DemoFeed.reader(rows: Self.demoRows)
    return Load(
      BatchRequest(program: cells.archive, variants: try variants.variants(), input: "load test"),
      rows: try LoadRows(rows),
      mix: BatchMix(sizes: batchRows.numbers.map { Int($0) }), describe: { Program.message(of: $0) ?? "\($0)" })
  }

  private static let demoRows = 10_000

  /// One run.
  private func measure(_ load: Load) throws {
    let report = try LoadRun.run(
      load, try Context(), endpoint: connect ?? "", keys: try keys.clientKeys(), pace: pace,
      clients: clients ?? pace.clients,
      span: span(grace: Self.grace))
    print(json ? try Self.encode(report) : report.text)
    if let svg { try write(LoadPlot.svg(report), to: svg) }
    if !report.isGood && !Interruption.isRequested { throw ExitCode(ExitStatus.failed) }
  }

  /// Seconds that batches have to end after the measured time.
  static let grace = 10.0

  private var pace: Pace { rate.map { .open(batchesPerSecond: $0) } ?? .closed }

  func span(grace: Double) -> LoadSpan { LoadSpan(warmUp: warmUp, duration: duration, grace: grace) }

  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Nobody wants to learn after the run that its picture has no place.
  private static func checkIsWritable(_ path: String) throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(directory, W_OK) == 0 else {
      throw RunFailure(message: "\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  private func write(_ text: String, to path: String) throws {
    do { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) } catch {
      throw RunFailure(message: "\(path): cannot be written: \(error.localizedDescription)")
    }
  }
}

extension Pace {
  /// Batches at a time unless the user says otherwise.
  fileprivate var clients: Int { self == .closed ? 4 : Load.maxClients }
}
