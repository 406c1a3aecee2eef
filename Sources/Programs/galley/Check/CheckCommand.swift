import ArgumentParser
import BatchLayout
import CellsFiles
import LayoutEngine
import RowsFiles

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Find mistakes in a cells file, and in rows that use it.",
    discussion: "Example: galley check posts.yaml posts.jsonl")

  @Argument(help: "The cells file, YAML or JSON, or a pack of galley pack.", completion: .file())
  var cells: String

  @Argument(
    help: "Files of rows as JSON Lines, optionally compressed with gzip or zstd, or - for standard input.",
    completion: .file())
  var rows: [String] = []

  @Option(
    help: "The widths of the list in points, such as 390 or 320,390 or 320-430/10. (default: 390)",
    transform: VariantOptions.reading(WidthList.init))
  var width: WidthList?

  @Option(
    help: TextSize.help, completion: .names(of: TextSize.self), transform: VariantOptions.reading(TextSize.listed))
  var textSize: [TextSize]?

  func run() throws {
    let file = try CellsFile(cells)
    let variants = try VariantOptions.checking { () throws(VariantError) in
      try Variant.combinations(widths: width?.numbers ?? [390], textSizes: textSize)
    }
    var warnings = file.warnings + file.warnings(at: textSize)
    var others: [String] = []
    var bad = 0
    // The program of a pack is read and checked even without rows.
    let checks = try file.withProgram { program -> RowChecks? in
      guard !rows.isEmpty else { return nil }
      var checks = try RowChecks(program, variants)
      try checks.run(RowsReader(rows)) { try Results.print($0) }
      return checks
    }
    if let checks {
      warnings = checks.valid(warnings) + checks.warnings(in: file)
      others = checks.otherWarnings
      bad = checks.badRows
    }
    warnings.sort { ($0.line ?? 0, $0.column ?? 0, $0.message) < ($1.line ?? 0, $1.column ?? 0, $1.message) }
    for warning in warnings {
      let place = location(in: cells, line: warning.line, column: warning.column)
      try Results.print("\(place): warning: \(warning.path): \(warning.message)")
    }
    for other in others { try Results.print(other) }
    if warnings.isEmpty && others.isEmpty && bad == 0 { try Results.print("\(cells): no mistakes found") }
    for note in checks?.notes ?? [] { Messages.note(note) }
    if width != nil, rows.isEmpty { Messages.warning("--width has no effect: there are no rows to lay out") }
    if bad > 0 { throw ExitCode(ExitStatus.badRows) }
  }
}
