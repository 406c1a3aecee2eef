import Buffers
import TableFormats

/// How much the space of a row's texts can change without another height.
public typealias RowMargins = TableFormats.RowMargins

/// The heights of a list: a copy of the heights.arrow of a variant in memory.
///
/// Rows are numbered from 0. Lengths and offsets are points; offsets count from the top of the first row.
public struct Heights: Sendable {
  /// The number of rows.
  public let rowCount: Int
  /// The sum of all heights.
  public let contentHeight: Double
  /// The number of records in frames.arrow that the rows have together.
  let frameCount: Int
  package let file: TableFile
  private let table: LoadedTable<Columns>
  private let edges: [Edges]
  /// The name of the variant, such as `w390`; nil in tables of earlier versions.
  public let variant: String?
  /// The checksum of the frames to which the rows refer; nil if there are none, and in tables of earlier versions.
  let framesChecksum: String?
  /// The parts of the variant's name.
  let name: VariantName?
  /// The names of the cell classes, to which the rows refer by index.
  public let cells: [String]

  package typealias Columns = HeightColumns<ArrowColumnView>

  /// The columns of one batch that searches use. They are apart from the others, because a search copies them at each
  /// step. The table keeps their memory.
  private struct Edges {
    private let y, height: ByteString

    init(_ columns: Columns) {
      y = ByteString(columns.y.storage.values)
      height = ByteString(columns.height.storage.values)
    }

    @inline(__always) func top(_ index: Int) -> Double {
      let bytes = UnsafeRawPointer(y.start)
      return bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Double>.size, as: Double.self)
    }

    @inline(__always) func height(_ index: Int) -> Float {
      let bytes = UnsafeRawPointer(height.start)
      return bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.size, as: Float.self)
    }

    @inline(__always) func bottom(_ index: Int) -> Double { top(index) + Double(height(index)) }
  }

  /// Reads a file.
  ///
  /// - Parameter path: The path of heights.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  public init(_ path: String) throws(TableError) {
    let stored = try StoredTable(path, columnFormats(HeightColumns.init))
    file = stored.file
    let table = try LoadedTable(stored, Columns.init)
    self.table = table
    edges = table.batches.map { Edges($0) }
    rowCount = table.index.recordCount
    cells = stored.dictionaries[0]
    variant = stored.schema.metadata.value(of: TableMetadata.variant)
    framesChecksum = stored.framesChecksum
    name = variant.flatMap(VariantName.init)
    contentHeight = try Self.sum(of: table, edges, path)
    let last = table.batches.last.map { batch in
      (batch.firstFrame[batch.y.rowCount - 1], UInt64(batch.frameCount[batch.y.rowCount - 1]))
    }
    guard let frames = Int(exactly: last.map { $0.0 &+ $0.1 } ?? 0) else {
      throw TableError.damaged(path, "its last row is not readable")
    }
    frameCount = frames
  }

  /// Returns the sum of all heights after each sum was compared with the offset of the next row. This takes 2 ms for a million
  /// rows.
  ///
  /// - Throws: `TableError` for a height that is no length, and for an offset that is not the sum of the heights above.
  private static func sum(
    of table: LoadedTable<Columns>, _ edges: [Edges], _ path: String
  ) throws(TableError) -> Double {
    var (row, sum) = (0, 0.0)
    for (columns, edges) in zip(table.batches, edges) {
      for index in 0..<columns.y.rowCount {
        let (top, height) = (edges.top(index), edges.height(index))
        guard top == sum else {
          throw TableError.damaged(path, "its row \(row) is at \(top), but the heights above add up to \(sum)")
        }
        guard height >= 0, height.isFinite else {
          throw TableError.damaged(path, "the height of its row \(row) is \(height)")
        }
        sum += Double(height)
        row += 1
      }
    }
    return sum
  }

  /// The path of the file.
  public var path: String { file.path }

  // MARK: Rows

  /// Returns the offset of a row's top. The offset of `rowCount` is the height of the content.
  public func offset(of row: Int) -> Double {
    if row == rowCount { return contentHeight }
    let (batch, index) = table.index.position(of: row)
    return edges[batch].top(index)
  }

  /// Returns the height of a row, which is 0 for a bad row.
  public func height(of row: Int) -> Float {
    let (batch, index) = table.index.position(of: row)
    return edges[batch].height(index)
  }

  /// Returns the width of a row's cell, which is 0 for a bad row.
  public func width(of row: Int) -> Float {
    let (batch, index) = table.index.position(of: row)
    return table.batches[batch].width[index]
  }

  /// Returns the bytes of a row's id, as UTF-8.
  ///
  /// - Throws: `TableError` if the file is damaged at this place.
  public func idBytes(of row: Int) throws(TableError) -> UnsafeRawBufferPointer {
    let (batch, index) = table.index.position(of: row)
    guard let id = table.batches[batch].id[index] else { throw damaged(row) }
    return id
  }

  /// Returns the id of a row.
  ///
  /// - Throws: `TableError` if the file is damaged at this place.
  public func id(of row: Int) throws(TableError) -> String { String(decoding: try idBytes(of: row), as: UTF8.self) }

  /// Returns the first row with an id, or nil. All ids are compared, which takes a fraction of a second for ten million.
  ///
  /// - Throws: `TableError` if the file is damaged.
  public func firstRow(withID id: String) throws(TableError) -> Int? {
    let id = Array(id.utf8)
    for row in 0..<rowCount where try idBytes(of: row).elementsEqual(id) { return row }
    return nil
  }

  /// Returns the index in `cells` of a row's cell class.
  ///
  /// - Throws: `TableError` if the file is damaged at this place.
  public func cellIndex(of row: Int) throws(TableError) -> Int {
    let (batch, index) = table.index.position(of: row)
    let cell = Int(table.batches[batch].cell[index])
    guard cells.indices.contains(cell) else { throw damaged(row) }
    return cell
  }

  /// Returns the reason why a row is bad, or nil for a good row.
  ///
  /// - Throws: `TableError` if the file is damaged at this place.
  public func error(of row: Int) throws(TableError) -> String? {
    let (batch, index) = table.index.position(of: row)
    // A batch without nulls has only bad rows.
    if table.batches[batch].error.isNull(at: index) { return nil }
    guard let error = table.batches[batch].error.storage.string(at: index) else { throw damaged(row) }
    return String(decoding: error, as: UTF8.self)
  }

  /// Returns whether a row could not be laid out.
  public func isBad(_ row: Int) -> Bool {
    let (batch, index) = table.index.position(of: row)
    return !table.batches[batch].error.isNull(at: index)
  }

  /// Returns the number of characters of a row's texts for which no font has a glyph.
  public func missingGlyphs(of row: Int) -> Int {
    let (batch, index) = table.index.position(of: row)
    return Int(table.batches[batch].missingGlyphs[index])
  }

  /// Returns the bounds within which no text of a row has another number of lines, or nil for a row without texts, for one
  /// whose lines depend on each other, and in tables of earlier versions.
  public func margins(of row: Int) -> RowMargins? {
    let (batch, index) = table.index.position(of: row)
    guard let narrower = table.batches[batch].marginNarrower[index], let wider = table.batches[batch].marginWider[index]
    else { return nil }
    return RowMargins(narrower: narrower, wider: wider)
  }

  /// Returns the height of a row in a list of another width, and whether it is certain: then the row has this height in
  /// that width too. A height that is not certain is that of the table's own width.
  ///
  /// - Parameter width: The width of the list in points.
  public func height(of row: Int, inWidth width: Double) -> (height: Float, isCertain: Bool) {
    guard let listWidth = name?.width else { return (height(of: row), false) }
    let change = width - listWidth
    let isCertain = change == 0 || holdsForWidth(row) && margins(of: row)?.hold(for: change) ?? true
    return (height(of: row), isCertain)
  }

  /// Returns whether the margins of a row hold for the width of the list too; false in tables of earlier versions.
  public func holdsForWidth(_ row: Int) -> Bool {
    let (batch, index) = table.index.position(of: row)
    return table.batches[batch].holdsForWidth[index]
  }

  /// Returns the indices in frames.arrow of a row's frames.
  ///
  /// - Throws: `TableError` if the file is damaged at this place.
  public func frames(of row: Int) throws(TableError) -> Range<Int> {
    let (batch, index) = table.index.position(of: row)
    let first = table.batches[batch].firstFrame[index]
    let count = table.batches[batch].frameCount[index]
    guard first <= UInt64(frameCount), UInt64(count) <= UInt64(frameCount) - first else { throw damaged(row) }
    return Int(first)..<Int(first) + Int(count)
  }

  /// Calls `body` with the columns of each batch that has some of the rows, and with the indices of these in it.
  @inline(__always)
  package func forEachRun<Failure>(
    _ rows: Range<Int>, _ body: (_ columns: Columns, _ indices: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    try table.forEachRun(rows, body)
  }

  private func damaged(_ row: Int) -> TableError { .damaged(path, "its row \(row) is not readable") }

  // MARK: Offsets

  /// Returns the row that covers an offset: the first row whose bottom is below the offset. Rows of height 0 cover
  /// nothing. Returns the first row with a height for an offset above the list, and nil for one at its end or below.
  public func row(at offset: Double) -> Int? {
    let row = firstRow(below: max(offset, 0))
    return row < rowCount ? row : nil
  }

  /// Returns the rows that overlap an interval of offsets. An interval and a row that only touch do not overlap, and a
  /// row of height 0 overlaps nothing. Where no row overlaps, the range is empty and begins at the first row whose
  /// bottom is below the lower bound.
  ///
  /// - Parameter leading: The offset of the first row. It is added to those of rows, not subtracted from the bounds, so that
  ///   an edge has the same value as elsewhere.
  public func rows(overlapping lower: Double, _ upper: Double, leading: Double = 0) -> Range<Int> {
    let first = firstRow(below: max(lower, leading), leading: leading)
    guard lower < upper else { return first..<first }
    let bound = min(upper, leading + contentHeight)
    let end = table.index.partition { leading + edges[$0].top($1) < bound }
    return first..<max(first, end)
  }

  /// Returns the first row whose bottom is below an offset that is not above the first row, or `rowCount`. The row has a
  /// height, because its top is not below the offset.
  @inline(__always)
  private func firstRow(below offset: Double, leading: Double = 0) -> Int {
    table.index.partition { leading + edges[$0].bottom($1) <= offset }
  }
}
