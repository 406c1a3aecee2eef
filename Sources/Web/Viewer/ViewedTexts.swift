import BatchLayout
import Buffers
import CellTemplates
import Hashing
import LayoutEngine
import ListTables
import RowsFiles
import Synchronization

/// The texts of the rows. They are not in the tables: each row is laid out once more when it is shown.
///
/// A row whose bytes or whose frames are not those of the tables has no texts but an error, so that no wrong text is shown.
package final class ViewedTexts: Sendable {
  let fonts: ViewedFonts
  private let run: ViewedRun
  private let rows: RowsIndex
  private let layout: SharedLayout
  private let firstProblem = Mutex<ViewedProblem?>(nil)
  private let onProblem: @Sendable (ViewedProblem) -> Void
  /// Whether other texts are shown, though a client that reads slowly may still receive these.
  private let isReplaced = Atomic<Bool>(false)

  /// - Parameters:
  ///   - archive: The program of the cells file.
  ///   - onProblem: A function that is called once if the rows or the cells are not those of the tables.
  /// - Throws: `CellError` for a program that cannot be used.
  package init(
    _ run: ViewedRun, rows: RowsIndex, archive: OwnedBytes,
    onProblem: @escaping @Sendable (ViewedProblem) -> Void
  ) throws(CellError) {
    self.run = run
    self.rows = rows
    self.onProblem = onProblem
    fonts = try ViewedFonts(archive)
    layout = try SharedLayout(archive, run.variants.compactMap(\.numbers))
  }

  /// The reason why texts are missing, as far as it is known.
  var problem: ViewedProblem? { firstProblem.withLock { $0 } }

  /// Other texts are shown from now on. Problems of these are no longer reported.
  func noteReplaced() { isReplaced.store(true, ordering: .relaxed) }

  /// Reads all rows once to find where they are, and compares their number with that of the tables.
  ///
  /// - Parameter comparing: Whether the rows are read once more to compare each with its hash in the tables.
  package func findRows(comparing: Bool = false) {
    do {
      try rows.build()
    } catch {
      note(ViewedProblem(error.description))
      return
    }
    if let count = rows.rowCount, count != run.rowCount {
      note(
        ViewedProblem(
          "\(rows.name) has \(count) rows and the tables have \(run.rowCount): give the rows from which the tables were "
            + "laid out, or lay them out again"))
    } else if comparing {
      compareRows()
    }
  }

  /// Compares the rows with their hashes in the tables, up to the first one that differs.
  private func compareRows() {
    guard run.hashes != nil else { return }
    do {
      try rows.read(0..<run.rowCount) { row, bytes in
        if isReplaced.load(ordering: .relaxed) { throw CancellationError() }
        guard isKnown(UnsafeBufferPointer(start: bytes.start, count: bytes.count), row) else { throw otherRow(row) }
      }
    } catch let error as RowsError {
      note(ViewedProblem(error.description))
    } catch {
      // A row that differs is noted already.
    }
  }

  @discardableResult
  private func note(_ problem: ViewedProblem) -> ViewedProblem {
    let isFirst = firstProblem.withLock { first in
      defer { first = first ?? problem }
      return first == nil
    }
    if isFirst && !isReplaced.load(ordering: .relaxed) { onProblem(problem) }
    return problem
  }

  // MARK: Cells

  /// The nodes of a cell with the lines of their texts, or the reason why they are not known.
  typealias Nodes = Result<[CellInspection.Node], ViewedProblem>

  /// Calls a function with each of some rows and its cell.
  func forEachCell(
    _ range: Range<Int>, _ variant: ViewedRun.Variant, _ number: LayoutEngine.Variant,
    _ body: (Int, Nodes?) throws -> Void
  ) throws {
    var next = range.lowerBound
    // Rows are read in small groups, so that no row is read while a client is slow.
    var bytes: [[UInt8]] = []
    while next < range.upperBound {
      bytes.removeAll(keepingCapacity: true)
      let group = next..<min(next + Self.groupRows, range.upperBound)
      do {
        try rows.read(group) { _, row in bytes.append(Array(row.bytes)) }
      } catch let error as RowsError {
        note(ViewedProblem(error.description))
      }
      for row in group {
        let offset = row - group.lowerBound
        try body(row, offset < bytes.count ? try cell(row, bytes[offset], variant, number) : .failure(missing(row)))
      }
      next = group.upperBound
    }
  }

  private static let groupRows = 16

  /// Returns the cell of a row, or nil for a bad row, which has none.
  ///
  /// - Throws: `TableError` if the tables are damaged at this row, or have changed since they were opened.
  private func cell(
    _ row: Int, _ bytes: [UInt8], _ variant: ViewedRun.Variant, _ number: LayoutEngine.Variant
  ) throws(TableError) -> Nodes? {
    if variant.tables.heights.isBad(row) { return nil }
    guard bytes.withUnsafeBufferPointer({ isKnown($0, row) }) else { return .failure(otherRow(row)) }
    let frames = try variant.tables.frames(of: row)
    do {
      let nodes = try layout.use(number) { layout, index in
        try bytes.withPadding { try layout.nodes(of: $0, variant: index) }
      }
      guard !variant.tables.hasFrames || Self.areEqual(nodes, frames) else { return .failure(otherCell(row)) }
      return .success(nodes)
    } catch {
      return .failure(otherCell(row))
    }
  }

  // MARK: Inspection

  /// Returns everything that can be shown of a row.
  ///
  /// - Throws: `ViewedProblem` if the row is not that of the tables, or cannot be read.
  func inspection(of row: Int, _ variant: ViewedRun.Variant) throws -> RowInspection {
    var found: [UInt8]?
    do {
      try rows.read(row..<row + 1) { _, bytes in found = Array(bytes.bytes) }
    } catch let error as RowsError {
      throw note(ViewedProblem(error.description))
    }
    guard let bytes = found, let number = variant.numbers else { throw missing(row) }
    guard bytes.withUnsafeBufferPointer({ isKnown($0, row) }) else { throw otherRow(row) }
    let cell = layout.use(number) { layout, index in bytes.withPadding { layout.inspect($0, variant: index) } }
    let frames = try variant.tables.frames(of: row)
    guard variant.tables.heights.isBad(row) == (cell.error != nil),
      cell.error != nil || !variant.tables.hasFrames || Self.areEqual(cell.nodes, frames)
    else { throw otherCell(row) }
    return RowInspection(row: row, cell: cell)
  }

  // MARK: Comparison

  /// Returns whether a row has the hash that the tables have for it. Tables without hashes have only the frames to compare.
  private func isKnown(_ bytes: UnsafeBufferPointer<UInt8>, _ row: Int) -> Bool {
    guard let expected = run.hashes?.hash(of: row) else { return true }
    return RowHash(bytes, hasOwnID: false).hasSameBytes(as: RowHash(low: expected.low, high: expected.high))
  }

  private static func areEqual(_ nodes: [CellInspection.Node], _ frames: [NodeFrame]) -> Bool {
    nodes.count == frames.count
      && zip(nodes, frames).allSatisfy { node, frame in
        node.name == frame.node && node.type == frame.type && Float(node.frame.origin.x) == frame.x
          && Float(node.frame.origin.y) == frame.y && Float(node.frame.size.width) == frame.width
          && Float(node.frame.size.height) == frame.height
      }
  }

  private func missing(_ row: Int) -> ViewedProblem {
    problem ?? note(ViewedProblem("\(rows.name) has no row \(row): give the rows from which the tables were laid out"))
  }

  private func otherRow(_ row: Int) -> ViewedProblem {
    note(
      ViewedProblem(
        "row \(row) of \(rows.name) is not that of the tables: give the rows from which the tables were laid out, or lay "
          + "them out again"))
  }

  private func otherCell(_ row: Int) -> ViewedProblem {
    note(
      ViewedProblem(
        "row \(row) has other frames in the tables than the cells file gives it: give the cells file and the version of "
          + "Galley with which the tables were laid out, or lay them out again"))
  }
}

/// A layout that threads use one after the other.
///
/// Only the thread that holds the lock uses the layout.
private final class SharedLayout: @unchecked Sendable {
  private let lock = Mutex(())
  private let layout: JobLayout
  /// The program refers to these bytes.
  private let archive: OwnedBytes

  init(_ archive: OwnedBytes, _ variants: [LayoutEngine.Variant]) throws(CellError) {
    self.archive = archive
    layout = try archive.withBytes { (bytes) throws(CellError) in
      try JobLayout(CellProgram(ProgramArchive(ByteString(bytes))), variants: variants)
    }
  }

  /// Calls a function with the layout and the index of a variant.
  func use<Output>(_ variant: LayoutEngine.Variant, _ body: (JobLayout, Int) throws -> Output) rethrows -> Output {
    try lock.withLock { _ in try body(layout, layout.variants.firstIndex(of: variant) ?? 0) }
  }
}
