import ArgumentParser
import BatchLayout
import CellTemplates
import CellsFiles
import Foundation
import LayoutTables
import Processes
import RowsFiles

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the layout of one row as text, a picture or JSON, or write an HTML page of several rows.",
    discussion: """
      Examples:
        galley inspect posts.jsonl --cells posts.yaml --width 320,390 --row post-7 --svg > cell.svg
        galley inspect posts.jsonl --cells posts.yaml --width 320,390 --row 1,5,post-7 --html page.html
      """)

  enum Form: String, EnumerableFlag {
    case ascii, tree, svg, json

    static func help(for form: Form) -> ArgumentHelp? {
      switch form {
      case .ascii: "The layout spec as a box drawing (the default)."
      case .tree: "Every element with its size range and its result."
      case .svg: "A picture of the frames with names and lines of text, all widths side by side."
      case .json: "Size, frames and overflow as JSON; an array for several widths."
      }
    }
  }

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      "The index of the row, from 0, or its id (default: 0).",
      discussion: """
        With --html, the option can be repeated or have a list such as 1,5,post-7, and the default is the first 20 rows.
        """,
      valueName: "row"))
  var row: [String] = []

  @Flag var form: Form?

  @Option(
    help: ArgumentHelp(
      "Write an HTML page of rows in all widths to this file; - is standard output.", valueName: "file"),
    completion: .file())
  var html: String?

  @OptionGroup var variants: VariantOptions

  /// The number of rows on a page without --row.
  private static let rowsOfPage = 20

  func validate() throws {
    guard html != "" else { throw ValidationError("--html is a file, or - for standard output") }
    if let form, html != nil {
      throw ValidationError("--html and --\(form.rawValue) exclude each other")
    }
  }

  func run() throws {
    let variants = try variants.variants()
    let file = try CellsFile(input.cells)
    if let html, html != "-" {
      let inputs = input.rows + [input.cells] + file.referencedFiles
      try InputFiles.check(html, of: "--html \(html)", replacesNoneOf: inputs)
    }
    let reader = try RowsReader(input.rows)
    let inspected = try file.withProgram { program -> [(row: RowSelection.Row, cells: [CellInspection])] in
      let layout = try JobLayout(program, variants: variants)
      return try selectedRows(reader, layout).map { row in
        (row, row.bytes.withPadding { bytes in variants.indices.map { layout.inspect(bytes, variant: $0) } })
      }
    }
    if let html {
      try writePage(inspected.map { InspectionPage.Row(number: $0.row.location.number, cells: $0.cells) }, html)
    } else {
      try show(inspected[0].cells)
    }
    var isBad = false
    for (row, cells) in inspected { isBad = report(cells, "\(row.location)") || isBad }
    if isBad { throw ExitCode(ExitStatus.badRows) }
  }

  private func selectedRows(_ reader: RowsReader, _ layout: JobLayout) throws -> [RowSelection.Row] {
    if html != nil && row.isEmpty { return try RowSelection.first(Self.rowsOfPage, of: reader) }
    let found = try RowSelection.rows(row.isEmpty ? ["0"] : row, of: reader) { layout.id(of: $0) }
    guard html != nil || found.count == 1 else {
      throw ValidationError("--row names \(found.count) rows; only --html shows several")
    }
    return found
  }

  // MARK: Output

  private func show(_ cells: [CellInspection]) throws {
    switch form ?? .ascii {
    case .ascii: try InspectionText.show(cells) { InspectionText.ascii($0) }
    case .tree: try InspectionText.show(cells) { InspectionText.tree($0) }
    case .svg: try Results.write("\(InspectionSVG.document(cells))\n")
    case .json: try InspectionDocument.show(cells)
    }
  }

  private func writePage(_ rows: [InspectionPage.Row], _ path: String) throws {
    let names = input.rows.map { $0 == "-" ? "Rows" : URL(fileURLWithPath: $0).lastPathComponent }
    let title = "\(names.joined(separator: ", ")) \u{b7} \(URL(fileURLWithPath: input.cells).lastPathComponent)"
    let page = InspectionPage(title: title, rows: rows).html
    if path == "-" { return try Results.write(page) }
    try ResultFile.write(Array(page.utf8), to: path)
  }

  /// Writes the different errors of a row to standard error. Returns whether there are any.
  ///
  /// - Parameter cells: The row in all widths.
  private func report(_ cells: [CellInspection], _ location: String) -> Bool {
    var reported: Set<String> = []
    for cell in cells {
      guard let error = cell.error, reported.insert(error.description).inserted else { continue }
      StandardStream.error.write("\(location): \(error.description)\n".escapedForTerminal)
    }
    return !reported.isEmpty
  }
}
