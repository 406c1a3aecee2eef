import ArgumentParser
import Buffers
import CellTemplates
import CellsFiles
import Foundation
import GalleyWorker
import LayoutEngine
import LayoutTables
import PoolClient
import Processes
import ZeroMQ

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Lay out a synthetic feed and say what came of it.",
    discussion: "Example: galley demo --rows 100000")

  @Option(help: "Rows of the feed.")
  var rows = 10_000

  @Option(help: "Widths of the list in points, such as 390 or 320-430/10.", transform: { try WidthList($0) })
  var width = WidthList(390)

  @Option(help: "Directory for the tables; the demo's earlier ones there are replaced.")
  var output = "galley-demo"

  @Option(help: "Worker processes.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Write the feed's rows to this file too.")
  var keepRows: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard rows > 0 else { throw ValidationError("--rows is above 0") }
    guard (1...1024).contains(workers) else { throw ValidationError("--workers is from 1 to 1024") }
  }

  func run() throws {
    Interruption.catchSignals()
    var variantOptions = VariantOptions()
    variantOptions.width = width
    variantOptions.textScale = NumberList(1)
    variantOptions.scale = NumberList(2)
    let cells = try CellsFile(text: try DemoFonts.cellsFile(), path: "demo.yaml")
    let feed = DemoFeed()
    if let keepRows { try feed.write(rows: rows, to: keepRows) }
    let variants = try variantOptions.variants()
    let batch = try Batch(
      variants, input: DemoFeed.name, output: output, replacing: true, strict: false, quiet: log.quiet)
    let run = BatchRun(
      BatchRequest(program: cells.archive, variants: variants, input: DemoFeed.name, resendsRows: true),
      rows: try DemoFeed.reader(rows: rows), batch: batch)
    let manifest = try run.run(workers: workers, log: log.log())
    if !log.quiet { print(try report(batch, manifest, cells, feed)) }
    if batch.reportBadRows() { throw ExitCode(ExitStatus.badRows) }
  }

  private func report(_ run: Batch, _ manifest: Manifest, _ cells: CellsFile, _ feed: DemoFeed) throws -> String {
    let tallest = run.tallestRows.map { "row \($0.row) (\(Int($0.height)) pt)" }.joined(separator: ", ")
    let height = manifest.variants.first?.height ?? 0
    return """
      \(output): \(manifest.summary)
      The list is \(Int(height)) points high. Tallest cells: \(tallest).

      The layout spec of row 0:
      \(try picture(cells, feed))

      Tables: \(output)/\(manifest.variants.first?.name ?? "")/heights.arrow, frames.arrow, resources.arrow
      """
  }

  /// The first row's layout spec in ASCII.
  private func picture(_ cells: CellsFile, _ feed: DemoFeed) throws -> String {
    let row = Array(feed.row(0)) + [UInt8](repeating: 0, count: JSONParser.padding)
    return try row.withUnsafeBufferPointer { row in
      guard let rowStart = row.baseAddress else { return "" }
      return try cells.withProgram { program in
        let binder = RowBinder(program)
        try binder.read(ByteString(start: rowStart, count: row.count - JSONParser.padding))
        try binder.bind(SizeRange(width: width.numbers.first ?? 390))
        return binder.asciiArt()
      }
    }
  }
}

/// The demo's cells file with fonts that this machine has.
enum DemoFonts {
  private static let families = ["Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans"]
  private static let fallback = [
    "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans Devanagari",
    "Noto Sans CJK JP", "Noto Color Emoji",
  ]

  static func cellsFile() throws -> String {
    let installed = CellsFile.installedFamilies
    guard let family = families.first(where: installed.contains) ?? installed.first else {
      throw RunFailure(message: "no font is installed; install one, such as Debian's fonts-inter")
    }
    let present = fallback.filter(installed.contains)
    return String(decoding: PackageResources.demo_yaml, as: UTF8.self)
      .replacingOccurrences(of: "$FAMILY", with: family)
      .replacingOccurrences(of: "$FALLBACK", with: present.joined(separator: ", "))
  }
}
