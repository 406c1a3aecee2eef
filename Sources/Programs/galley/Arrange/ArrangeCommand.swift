import ArgumentParser
import Buffers
import CellTemplates
import Foundation
import LayoutTables
import ListTables
import Processes

struct ArrangeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arrange",
    abstract: "Arrange the cells of a list in columns, and write where they lie to arrangement.arrow.",
    discussion: """
      Cells have the width of a column. An arrangement that the variant has is replaced.

      Examples:
        galley arrange tables/w171 --columns 2 --spacing 16 --line-spacing 12 --inset 16,16,16,16
        galley arrange tables/w171 --columns 2 --waterfall --spacing 16 --inset 16,16,16,16 --headers SectionHeader
        galley arrange tables/w390 --line-spacing 8
        galley arrange tables/w390 --wrap --justify --spacing 8 --line-spacing 8
      """)

  @Argument(help: "The directory of the variant whose cells are arranged, such as tables/w171.", completion: .directory)
  var tables: String

  @OptionGroup var options: ArrangeOptions

  @Option(help: "The cell classes, separated by commas, whose cells have the full width of the list.")
  var headers: String?

  @Option(help: "The cell classes, separated by commas, that end a section, and have the full width of the list too.")
  var footers: String?

  @Flag(
    help: "Headers stay at the top of the viewport while their section is visible, which galley prefetch then counts.")
  var pinHeaders = false

  @Option(
    help: "The directory of the variant that has the headers (default: that of the list's width beside TABLES).",
    completion: .directory)
  var headersFrom: String?

  @Flag(help: "Print the size of the content as JSON.")
  var json = false

  func validate() throws {
    guard headers != nil || footers != nil || headersFrom == nil else {
      throw ValidationError("--headers-from needs --headers or --footers")
    }
    if let both = Self.classes(headers).first(where: Self.classes(footers).contains) {
      throw ValidationError("--headers and --footers both name \(both); a cell is a header or a footer")
    }
    guard headers != nil || !pinHeaders else { throw ValidationError("--pin-headers needs --headers") }
    for (option, value) in [("--headers", headers), ("--footers", footers)] where Self.classes(value).contains("") {
      throw ValidationError("\(option) needs the names of cell classes, such as SectionHeader,Banner")
    }
  }

  private static func classes(_ names: String?) -> [String] {
    (names?.split(separator: ",", omittingEmptySubsequences: false) ?? []).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  func run() throws {
    Interruption.catchSignals()
    let source = try ArrangementSource(
      tables, options.rules(), headerClasses: Self.classes(headers), footerClasses: Self.classes(footers),
      pinsHeaders: pinHeaders, headersFrom: headersFrom)
    let summary = try source.summary()
    var table = try ArrangementTable(in: tables, metadata: summary.metadata(source))
    var rows = source.rows
    while let frame = try rows.next() {
      try Interruption.check()
      try table.append(x: frame.x, y: frame.y, width: frame.width, height: frame.height, column: frame.column)
    }
    try source.check()
    try table.finish()
    for name in source.missingHeaderClasses {
      let option = source.headerClasses.contains(name) ? "--headers" : "--footers"
      let suggestion = didYouMean(name, among: source.cellClasses)
      Messages.warning("no row has the cell class \"\(name)\" of \(option)\(suggestion)")
    }
    for option in options.withoutEffect { Messages.warning("\(option) has no effect: the list has one column") }
    guard json else { return try Results.print(text(summary)) }
    let document = Document(
      rows: summary.rowCount, columns: options.columns, contentWidth: summary.contentWidth,
      contentHeight: summary.contentHeight)
    try Results.print(document, [], keys: .convertToSnakeCase)
  }

  private func text(_ summary: ArrangementSummary) -> String {
    // Sums of heights that are no multiples of a binary fraction have many digits.
    func rounded(_ points: Double) -> String { shortText((points * 1000).rounded() / 1000) }
    let size = "\(rounded(summary.contentWidth)) x \(rounded(summary.contentHeight)) points"
    let columns = options.wrap ? "lines" : options.columns == 1 ? "1 column" : "\(options.columns) columns"
    return "\(tables): \(summary.rowCount) rows in \(columns), \(size)"
  }

  /// The result as JSON.
  private struct Document: Encodable {
    let rows, columns: Int
    let contentWidth, contentHeight: Double
  }
}
