import BatchLayout
import CellModels
import CellsFile
import LayoutPool
import LayoutTables

/// What rows say of a cells file: bad rows, what does not fit, elements and fields that no row has, characters without a
/// glyph.
struct RowChecks {
  private let layout: JobLayout
  private var unseen: [[String]: Void]
  private var fields: FieldUse
  private var overflow = OverflowSummary()
  private var missingGlyphs = MissingGlyphSummary()
  /// The cell classes of which a row sets its own constrainedSize.
  private var constrained: Set<String> = []
  private(set) var badRows = 0

  init(_ program: CellProgram, _ variant: Variant) throws {
    layout = try JobLayout(program, variants: [variant])
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
        let seen = try layout.examine(row)
        for path in seen.paths { unseen[["cells", seen.cell] + path] = nil }
        layout.note(in: &fields)
        if seen.hasOwnConstrainedSize { constrained.insert(seen.cell) }
        if let error = seen.error { throw error }
        overflow.add(seen.overflow, cell: seen.cell, row: place.number, place: "\(place)")
        missingGlyphs.note(seen.missingGlyphs, row: place.number)
      } catch {
        badRows += 1
        report("\(place): error: \(error.description)")
      }
      return true
    }
  }

  /// The warnings of a cells file without those that rows make void.
  func valid(_ warnings: [CellWarning]) -> [CellWarning] {
    warnings.filter { !($0.voidedByConstrainedSize.map(constrained.contains) ?? false) }
  }

  /// Warnings about places in the cells file.
  func warnings(in file: CellsFile) -> [CellWarning] {
    var warnings = overflow.all.filter { !$0.cell.isEmpty }.map { file.warning($0.path, $0.message) }
    // Of elements within elements that never appear the outermost are enough.
    for path in unseen.keys where !(1..<path.count).contains(where: { unseen[Array(path.prefix($0))] != nil }) {
      warnings.append(file.warning(path, "appears in none of the rows"))
    }
    for field in fields.absentFields {
      let meant = field.suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
      warnings.append(file.warning(field.path, "field \"\(field.name)\" is in none of the rows\(meant)"))
    }
    return warnings
  }

  /// Warnings about rows.
  var otherWarnings: [String] {
    overflow.all.filter(\.cell.isEmpty).map {
      "\($0.worstPlace): warning: \(CellError.format($0.path)): \($0.message)"
    } + (GlyphWarning(missingGlyphs).map { ["warning: \($0.message)"] } ?? [])
  }
}
