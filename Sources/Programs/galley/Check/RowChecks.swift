import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import LayoutEngine
import LayoutTables
import RowsFiles

/// The checks of a cells file that need rows: bad rows, overflow, elements and fields that no row has, and characters
/// without a glyph.
struct RowChecks {
  private let layout: JobLayout
  private let variants: [Variant]
  /// The paths of elements that no row had so far.
  private var unusedElements: [[String]: Void]
  private var fields: FieldUse
  /// The overflow in each variant.
  private var overflow: [OverflowSummary]
  private var missingGlyphs = MissingGlyphSummary()
  /// The number of rows with an emoji for which the platforms `texture` and `web` choose different fonts (text-rules 17),
  /// and the first of them.
  private var emojiRows: (count: Int, first: UInt64) = (0, 0)
  /// The names that several nodes of a cell have, and the first such row, by the path of the second node.
  private var repeatedNames: [[String]: (name: String, row: UInt64)] = [:]
  /// The cell classes with a row that sets its own constrainedSize.
  private var constrained: Set<String> = []
  /// The cell classes with a bad row.
  private var badClasses: Set<String> = []
  private(set) var badRows = 0
  /// The good rows of each cell class, and those whose heights hold in other widths within their margins.
  private var widths: [String: (rows: Int, holding: Int)] = [:]

  init(_ program: CellProgram, _ variants: [Variant]) throws {
    self.variants = variants
    layout = try JobLayout(program, variants: variants)
    overflow = variants.map { _ in OverflowSummary() }
    fields = FieldUse(program)
    unusedElements = Dictionary(
      RowBinder.elementPaths(of: program).map { (["cells", $0.cell] + $0.path, ()) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Lays out all rows and collects the findings.
  ///
  /// - Parameter report: A function that receives a message about a bad row.
  mutating func run(_ rows: RowsReader, report: (String) throws -> Void) throws {
    try rows.forEachRow { row, location in
      do throws(CellError) {
        for variant in variants.indices { try check(row, variant, location) }
      } catch {
        badRows += 1
        badClasses.insert(layout.cellName)
        try report("\(location): error: \(error.description)")
      }
    }
  }

  private mutating func check(_ row: ByteString, _ variant: Int, _ location: RowLocation) throws(CellError) {
    let findings = try layout.examine(row, variant: variant)
    for path in findings.paths { unusedElements[["cells", findings.cell] + path] = nil }
    if findings.hasOwnConstrainedSize { constrained.insert(findings.cell) }
    for (name, path) in findings.repeatedNames where !findings.cell.isEmpty {
      let path = ["cells", findings.cell] + path
      if repeatedNames[path] == nil { repeatedNames[path] = (name, location.number) }
    }
    if let error = findings.error { throw error }
    overflow[variant].add(findings.overflow, cell: findings.cell, row: location.number, position: "\(location)")
    guard variant == 0 else { return }
    if !findings.cell.isEmpty {
      widths[findings.cell, default: (0, 0)].rows += 1
      if findings.holdsForWidth { widths[findings.cell, default: (0, 0)].holding += 1 }
    }
    layout.note(in: &fields)
    missingGlyphs.note(findings.missingGlyphs, row: location.number)
    if findings.dependsOnEmojiFonts {
      if emojiRows.count == 0 { emojiRows.first = location.number }
      emojiRows.count += 1
    }
  }

  /// Returns the warnings of a cells file without those that do not apply to the rows.
  func valid(_ warnings: [CellWarning]) -> [CellWarning] {
    warnings.filter { !($0.voidedByConstrainedSize.map(constrained.contains) ?? false) }
  }

  /// Returns the warnings about lines of the cells file. Classes with a bad row have no warnings about absent elements
  /// and fields, because a bad row is not read to its end.
  func warnings(in file: CellsFile) -> [CellWarning] {
    var warnings: [CellWarning] = []
    for (variant, summary) in zip(variants, overflow) {
      warnings += summary.all.filter { !$0.cell.isEmpty }.map { file.warning($0.path, at(variant) + $0.message) }
    }
    // If an element and its descendants are unused, only the element is reported.
    for path in unusedElements.keys
    where !(1..<path.count).contains(where: { unusedElements[Array(path.prefix($0))] != nil }) {
      if !badClasses.contains(path[1]) { warnings.append(file.warning(path, "appears in none of the rows")) }
    }
    for field in fields.absentFields where !badClasses.contains(field.path[1]) {
      let message = "field \"\(field.name.excerpt)\" is in none of the rows\(field.suggestion)"
      warnings.append(file.warning(field.path, message))
    }
    for (path, repeated) in repeatedNames {
      warnings.append(
        file.warning(
          path,
          "a second node of the cell is named \"\(repeated.name.excerpt)\" (row \(repeated.row)); give it another id"))
    }
    return warnings
  }

  /// The warnings about rows.
  var otherWarnings: [String] {
    var others: [String] = []
    for (variant, summary) in zip(variants, overflow) {
      others += summary.all.filter(\.cell.isEmpty).map {
        "\($0.worstPosition): warning: \(CellError.format($0.path)): \(at(variant))\($0.message)"
      }
    }
    let messages = [GlyphWarning(missingGlyphs)?.message, emojiWarning]
    return others + messages.compactMap { $0 }.map { "warning: \($0)" }
  }

  private var emojiWarning: String? {
    let (count, first) = emojiRows
    guard count > 0 else { return nil }
    let counted = count == 1 ? "1 row (row \(first)) has" : "\(count) rows (the first is row \(first)) have"
    return "\(counted) an emoji that the platform web shows in another font than texture; "
      + "list the font with emoji before other fallback fonts that have the character"
  }

  /// Notes for each cell class whether the heights of its rows hold in other widths.
  var notes: [String] {
    widths.sorted { $0.key < $1.key }.map { cell, count in
      let share = count.holding == count.rows ? "all" : count.holding == 0 ? "none" : "\(count.holding)"
      return "\(cell): the heights of \(share) of \(count.rows) rows hold in other widths within their margins"
    }
  }

  /// Returns a prefix such as `at 320 pt: `, or an empty string if there is only one variant.
  private func at(_ variant: Variant) -> String {
    guard variants.count > 1 else { return "" }
    let textSize = variant.textSize.map { " and \($0.name)" } ?? ""
    return "at \(Variant(width: variant.width).name.dropFirst()) pt\(textSize): "
  }
}
