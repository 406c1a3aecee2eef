import ArgumentParser
import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import Foundation
import GalleyWorker
import HTTPServing
import LayoutEngine
import ListTables
import PoolClient
import PoolCoordinator
import Processes
import Viewer

struct DemoCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Lay out a synthetic feed and print a summary.",
    discussion: "Example: galley demo --rows 100000")

  @Option(help: "The number of rows.")
  var rows = 10_000

  @Option(
    help: "The widths of the list in points, such as 390 or 320-430/10. (default: 390)",
    transform: VariantOptions.reading(WidthList.init))
  var width = WidthList(390)

  @Option(help: "The directory for the tables. Tables of an earlier demo in it are replaced.", completion: .directory)
  var output = "galley-demo"

  @Option(help: "The number of worker processes.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "Also write the rows to this file.", completion: .file())
  var keepRows: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard !output.isEmpty, output != "-" else {
      throw ValidationError("--output is a directory for the tables, such as galley-demo")
    }
    guard rows > 0 else { throw ValidationError("--rows is above 0") }
    guard keepRows != "-", keepRows != "" else { throw ValidationError("--keep-rows is a file, such as rows.jsonl") }
    guard (1...1024).contains(workers) else { throw ValidationError("--workers is from 1 to 1024") }
  }

  func run() throws {
    Interruption.catchSignals()
    try checkOutput()
    let localWorkers = try LocalWorkers(command: WorkerCommand.commandLine(log))
    let cells = try CellsFile(text: try DemoFonts.cellsFile(), path: "demo.yaml")
    if let keepRows {
      try InputFiles.check(
        keepRows, of: "--keep-rows \(keepRows)", replacesNoneOf: [output + "/manifest.json"] + cells.referencedFiles)
      try DemoFeed.write(rows: rows, to: keepRows)
    }
    let variants = try VariantOptions.checking { () throws(VariantError) in
      try Variant.combinations(widths: width.numbers)
    }
    let writer = try TableWriter(
      variants, input: DemoFeed.name, output: output, replacing: true, strict: false, quiet: log.quiet)
    let run = BatchRun(
      BatchRequest(program: try cells.archive(), variants: variants, input: DemoFeed.name, resendsRows: true),
      rows: try DemoFeed.reader(rows: rows), output: writer)
    try run.run(localWorkers, count: workers, log: makeLog())
    if !log.quiet, let manifest = writer.manifest { try Results.print(text(manifest, cells)) }
    try writer.reportBadRows()
  }

  /// Throws a `RunFailure` if the directory has the tables of another run.
  private func checkOutput() throws {
    guard let manifest = FileManager.default.contents(atPath: output + "/manifest.json"),
      RunManifest(manifest)?.input?.name != DemoFeed.name
    else { return }
    throw RunFailure(message: "\(output): has the tables of another run; give another directory to --output")
  }

  /// Returns the text that the demo prints.
  private func text(_ manifest: Manifest, _ cells: CellsFile) throws -> String {
    let directory = "\(output)/\(manifest.variants.first?.name ?? "")"
    let tables = try MappedTables(directory)
    let tallest = try RowSearch.tallest(tables.heights, 3).map { "row \($0.row) (\(Int($0.height)) pt)" }
    let height = manifest.variants.first?.height ?? 0
    return """
      \(output): \(manifest.summary(of: .layout))
      The list is \(Int(height)) points high. Tallest cells: \(tallest.joined(separator: ", ")).

      The layout spec of row 0:
      \(try drawing(cells))

      Tables: \(directory)/heights.arrow, frames.arrow, resources.arrow

      What a list needs in its middle:
      \(try prefetchQuery(tables, directory, offset: (height / 2).rounded()))
      """
  }

  /// Returns a prefetch query as a command, and its answer.
  private func prefetchQuery(_ tables: MappedTables, _ path: String, offset: Double) throws -> String {
    let query = PrefetchQuery(offset: offset, viewport: 844)
    var answer = JSONText()
    try PrefetchAnswerWriter(PrefetchPlanner(tables), hasResources: false).append(query, to: &answer)
    return "$ galley prefetch \(path) --offset \(Int(offset)) --viewport 844 --no-resources\n"
      + answer.text.trimmingCharacters(in: .newlines)
  }

  /// Returns a drawing of the layout spec of the first row in ASCII characters.
  private func drawing(_ cells: CellsFile) throws -> String {
    try DemoFeed.row(0).withPadding { row in
      try cells.withProgram { program in
        let binder = RowBinder(program)
        try binder.read(row)
        try binder.bind(SizeRange(width: width.numbers.first ?? 390))
        return binder.asciiArt()
      }
    }
  }
}

/// The fonts of the demo's cells file, chosen from those that are installed.
enum DemoFonts {
  private static let families = ["Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans"]
  private static let fallback = [
    "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans Devanagari",
    "Noto Sans CJK JP", "Noto Color Emoji",
  ]

  /// Returns the demo's cells file with the names of installed fonts.
  ///
  /// - Throws: `RunFailure` if no font is installed.
  static func cellsFile() throws -> String {
    let installed = CellsFile.installedFamilies
    guard let family = families.first(where: installed.contains) ?? installed.first else {
      throw RunFailure(message: "no font is installed; install one, such as Debian's fonts-inter")
    }
    let present = fallback.filter(installed.contains)
    return String(decoding: EmbeddedFiles.file("Programs/galley/Demo/demo.yaml"), as: UTF8.self)
      .replacingOccurrences(of: "$FAMILY", with: family)
      .replacingOccurrences(of: "$FALLBACK", with: present.joined(separator: ", "))
  }
}
