import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import LayoutTables
import RowsFiles

/// What rows say of a cells file: bad rows, what does not fit, elements and fields that no row has, characters without a
/// glyph.
struct RowChecks {
  private let layout: JobLayout
  private let variants: [Variant]
  private var unseen: [[String]: Void]
  private var fields: FieldUse
  /// Of each variant.
  private var overflow: [OverflowSummary]
  private var missingGlyphs = MissingGlyphSummary()
  /// Names that several nodes of a cell have, by the path of the second of them, with the first such row.
  private var repeatedNames: [[String]: (name: String, row: UInt64)] = [:]
  /// The cell classes of which a row sets its own constrainedSize, and those of which a row is bad.
  private var constrained: Set<String> = []
  private var badClasses: Set<String> = []
  private(set) var badRows = 0

  init(_ program: CellProgram, _ variants: [Variant]) throws {
    self.variants = variants
    layout = try JobLayout(program, variants: variants)
    overflow = variants.map { _ in OverflowSummary() }
    fields = FieldUse(program)
    unseen = Dictionary(
      RowBinder.elementPaths(of: program).map { (["cells", $0.cell] + $0.path, ()) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Lays out all rows.
  ///
  /// - Parameter report: takes a line about a bad row.
  mutating func run(_ rows: RowsReader, report: (String) -> Void) throws {
    try rows.forEachRow { row, place in
      do throws(CellError) {
        for variant in variants.indices { try check(row, variant, place) }
      } catch {
        badRows += 1
        badClasses.insert(layout.cellName)
        report("\(place): error: \(error.description)")
      }
      return true
    }
  }

  private mutating func check(_ row: ByteString, _ variant: Int, _ place: RowPlace) throws(CellError) {
    let seen = try layout.examine(row, variant: variant)
    for path in seen.paths { unseen[["cells", seen.cell] + path] = nil }
    if seen.hasOwnConstrainedSize { constrained.insert(seen.cell) }
    for (name, path) in seen.repeatedNames where !seen.cell.isEmpty {
      let path = ["cells", seen.cell] + path
      if repeatedNames[path] == nil { repeatedNames[path] = (name, place.number) }
    }
    if let error = seen.error { throw error }
    overflow[variant].add(seen.overflow, cell: seen.cell, row: place.number, position: "\(place)")
    guard variant == 0 else { return }
    layout.note(in: &fields)
    missingGlyphs.note(seen.missingGlyphs, row: place.number)
  }

  /// The warnings of a cells file without those that rows make void.
  func valid(_ warnings: [CellWarning]) -> [CellWarning] {
    warnings.filter { !($0.voidedByConstrainedSize.map(constrained.contains) ?? false) }
  }

  /// Warnings about places in the cells file. Of a class with a bad row it is not known what its rows lack.
  func warnings(in file: CellsFile) -> [CellWarning] {
    var warnings: [CellWarning] = []
    for (variant, summary) in zip(variants, overflow) {
      warnings += summary.all.filter { !$0.cell.isEmpty }.map { file.warning($0.path, at(variant) + $0.message) }
    }
    // Of elements within elements that never appear the outermost are enough.
    for path in unseen.keys where !(1..<path.count).contains(where: { unseen[Array(path.prefix($0))] != nil }) {
      if !badClasses.contains(path[1]) { warnings.append(file.warning(path, "appears in none of the rows")) }
    }
    for field in fields.absentFields where !badClasses.contains(field.path[1]) {
      let meant = field.suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
      warnings.append(file.warning(field.path, "field \"\(field.name)\" is in none of the rows\(meant)"))
    }
    for (path, repeated) in repeatedNames {
      warnings.append(
        file.warning(
          path, "a second node of the cell is named \"\(repeated.name)\" (row \(repeated.row)); give it another id"))
    }
    return warnings
  }

  /// Warnings about rows.
  var otherWarnings: [String] {
    var others: [String] = []
    for (variant, summary) in zip(variants, overflow) {
      others += summary.all.filter(\.cell.isEmpty).map {
        "\($0.worstPosition): warning: \(CellError.format($0.path)): \(at(variant))\($0.message)"
      }
    }
    return others + (GlyphWarning(missingGlyphs).map { ["warning: \($0.message)"] } ?? [])
  }

  /// `at 320 pt: `, where rows are laid out in several widths.
  private func at(_ variant: Variant) -> String { variants.count > 1 ? "at \(variant.name.dropFirst()) pt: " : "" }
}
