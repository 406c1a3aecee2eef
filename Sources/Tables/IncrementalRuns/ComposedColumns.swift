import Buffers
import CellTemplates
import Hashing
import LayoutTables
import ListTables
import TableFormats

/// The columns of one variant that are composed of rows of an earlier run and of new results, in the format of a job.
final class ComposedColumns {
  let job = JobColumns()
  private let heights: Heights
  private let frames: Frames
  private let resources: Resources
  private let frameCursor: TableCursor<Frames.Columns>
  private let resourceCursor: TableCursor<Resources.Columns>
  /// The number in the job of each cell class and node of the earlier run, or `unnumbered`.
  private var cellNumbers: [UInt32]
  private var nodeNumbers: [UInt32]
  /// The index of the type whose resources can state their sizes.
  private let multiplexType: Int?
  /// The index in frames.arrow of each node name of resources.arrow, or -1.
  private let frameNodes: [Int32]
  private let texts: TextCursors?

  let textType = ElementType.text.rawValue

  private static let unnumbered = UInt32.max

  /// - Parameter hasLines: Whether the later run has lines, which the tables then have, too.
  init(_ tables: MappedTables, hasLines: Bool) {
    texts = hasLines ? tables.textCursors() : nil
    (heights, frames, resources) = (tables.heights, tables.frames, tables.resources)
    multiplexType = tables.resources.types.firstIndex(of: "multiplexImage")
    (frameCursor, resourceCursor) = (frames.cursor(), resources.cursor())
    cellNumbers = Array(repeating: Self.unnumbered, count: tables.heights.cells.count)
    nodeNumbers = Array(repeating: Self.unnumbered, count: tables.frames.nodes.count)
    var indices: [UTF8Key: Int32] = [:]
    for (index, node) in tables.frames.nodes.enumerated() { indices[UTF8Key(node)] = Int32(index) }
    frameNodes = tables.resources.nodes.map { indices[UTF8Key($0)] ?? -1 }
  }

  /// Removes the rows, after they were written.
  func removeAll() {
    job.removeAll()
    for index in cellNumbers.indices { cellNumbers[index] = Self.unnumbered }
    for index in nodeNumbers.indices { nodeNumbers[index] = Self.unnumbered }
  }

  // MARK: Rows of the earlier run

  /// Copies the tables for rows in any order.
  ///
  /// - Throws: `TableError` for tables that have changed since they were opened.
  func copyTables() throws(TableError) {
    try frameCursor.copy()
    try resourceCursor.copy()
    try texts?.copy()
  }

  /// Appends rows of the earlier run.
  ///
  /// - Parameters:
  ///   - hashes: The hashes of the rows.
  ///   - number: The number of the first row in the later run.
  /// - Throws: `TableError` for tables that are damaged, or have changed since they were opened.
  func append(_ rows: Range<Int>, _ hashes: [RowHash], number: UInt64) throws(TableError) {
    let firstRow = job.columns.width.count
    let firstFrame = job.columns.node.count
    try heights.forEachRun(rows) { (columns, indices) throws(TableError) in
      job.columns.width.append(bytes: columns.width.bytes(indices))
      job.columns.height.append(bytes: columns.height.bytes(indices))
      job.columns.frameCount.append(bytes: columns.frameCount.bytes(indices))
      job.columns.missingGlyphs.append(bytes: columns.missingGlyphs.bytes(indices))
    }
    for (index, row) in rows.enumerated() {
      job.columns.margins.append(
        PackedMargins(heights.margins(of: row), holdsForWidth: heights.holdsForWidth(row)).bits)
      let cell = try heights.cellIndex(of: row)
      job.columns.cell.append(numbered(cell, &cellNumbers, heights.cells))
      job.columns.errorLength.append(0)
      let length = job.columns.idBytes.count
      if hashes[index].hasOwnID {
        job.columns.idBytes.append(bytes: try heights.idBytes(of: row))
      } else {
        job.columns.idBytes.buffer.append(decimal: Int(truncatingIfNeeded: number) + index)
      }
      job.columns.idLength.append(UInt32(truncatingIfNeeded: job.columns.idBytes.count - length))
    }
    guard let first = rows.first, let last = rows.last else { return }
    let (start, end) = (try heights.frames(of: first).lowerBound, try heights.frames(of: last).upperBound)
    var count = 0
    for row in firstRow..<job.columns.frameCount.count { count += Int(job.columns.frameCount[row]) }
    guard end - start == count else { throw damaged(heights.path) }
    try append(frames: start..<end)
    if let texts { try append(textsOf: rows, texts, firstRow: firstRow, firstFrame: firstFrame) }
    try append(resourcesOf: rows, firstRow: firstRow, firstFrame: firstFrame)
  }

  private func append(frames: Range<Int>) throws(TableError) {
    try frameCursor.forEachRun(frames) { (columns, indices) throws(TableError) in
      try append(nodes: columns.node, indices)
      let flags = job.columns.truncated.buffer.extend(by: indices.count)
      for (offset, index) in indices.enumerated() { flags[offset] = columns.truncated[index] ? 1 : 0 }
      job.columns.type.append(bytes: columns.type.bytes(indices))
      job.columns.parent.append(bytes: columns.parent.bytes(indices))
      job.columns.frameRect.append(columns.rect) { $0.bytes(indices) }
      job.columns.lines.append(bytes: columns.lines.bytes(indices))
    }
  }

  private func append(nodes: Column<Int32, ArrowColumnView>, _ indices: Range<Int>) throws(TableError) {
    let count = UInt32(truncatingIfNeeded: nodeNumbers.count)
    for index in indices {
      let node = UInt32(bitPattern: nodes[index])
      guard node < count else { throw damaged(frames.path) }
      var number = nodeNumbers[Int(node)]
      if number == Self.unnumbered { number = numbered(Int(node), &nodeNumbers, frames.nodes) }
      job.columns.node.append(number)
    }
  }

  /// Appends the resources of rows whose frames were appended.
  private func append(resourcesOf rows: Range<Int>, firstRow: Int, firstFrame: Int) throws(TableError) {
    var row = rows.lowerBound
    var frame = firstFrame
    var end = firstFrame + Int(job.columns.frameCount[firstRow])
    var top = heights.offset(of: row)
    try resourceCursor.forEachRun(resources.resources(of: rows)) { (columns, indices) throws(TableError) in
      for index in indices {
        let number = columns.row[index]
        guard number >= UInt64(row), number < UInt64(rows.upperBound) else { throw damaged(resources.path) }
        if number > UInt64(row) {
          while UInt64(row) < number {
            row += 1
            frame = end
            end += Int(job.columns.frameCount[firstRow + row - rows.lowerBound])
          }
          top = heights.offset(of: row)
        }
        guard let found = jobFrame(of: columns, index, among: frame..<end, top: top),
          let url = columns.url[index]
        else { throw damaged(resources.path) }
        // A frame can have several resources.
        frame = found
        job.columns.resourceRow.append(UInt32(truncatingIfNeeded: firstRow + row - rows.lowerBound))
        job.columns.resourceFrame.append(UInt32(truncatingIfNeeded: found))
        job.columns.resourceURLLength.append(UInt32(truncatingIfNeeded: url.count))
        job.columns.resourceURLBytes.append(bytes: url)
        let type = UInt8(bitPattern: columns.type[index])
        if type != job.columns.type[found] || Int(type) == multiplexType {
          job.columns.detailResource.append(UInt32(truncatingIfNeeded: job.columns.resourceRow.count - 1))
          job.columns.detailType.append(type)
          job.columns.detailPixelWidth.append(columns.pixelWidth[index])
          job.columns.detailPixelHeight.append(columns.pixelHeight[index])
        }
      }
    }
  }

  /// Returns the index in the job of a resource's frame: the next one of the row with the same name and rectangle.
  /// A resource does not state its frame, but everything that it has of a frame is compared.
  private func jobFrame(of columns: Resources.Columns, _ index: Int, among frames: Range<Int>, top: Double) -> Int? {
    let code = Int(columns.node[index])
    guard frameNodes.indices.contains(code), frameNodes[code] >= 0 else { return nil }
    let node = nodeNumbers[Int(frameNodes[code])]
    let y = columns.y[index]
    let width = columns.width[index]
    let height = columns.height[index]
    for frame in frames
    where job.columns.node[frame] == node && job.columns.frameRect.width[frame] == width
      && job.columns.frameRect.height[frame] == height && top + Double(job.columns.frameRect.y[frame]) == y
    {
      return frame
    }
    return nil
  }

  private func numbered(_ code: Int, _ numbers: inout [UInt32], _ names: [String]) -> UInt32 {
    if numbers[code] == Self.unnumbered {
      var name = names[code]
      numbers[code] = name.withUTF8 { job.number(ofName: ByteString(UnsafeRawBufferPointer($0))) }
    }
    return numbers[code]
  }

  // MARK: Rows that were laid out

  /// Appends a row of a received job.
  ///
  /// - Parameters:
  ///   - hasOwnID: Whether the row has an id of its own. The id of another row is its number.
  ///   - number: The number of the row in the later run.
  ///   - position: The position of its line there, which its error states instead of that among the rows that were laid out.
  func append(_ received: JobPart, hasOwnID: Bool, number: UInt64, _ position: LinePosition) {
    let row = job.columns.width.count
    let (firstID, firstError) = (job.columns.idBytes.count, job.columns.errorBytes.count)
    job.append(received)
    job.columns.margins.append(received.job.margins(of: received[.rows].lowerBound).bits)
    if !hasOwnID {
      job.columns.idBytes.buffer.truncate(to: firstID)
      job.columns.idBytes.buffer.append(decimal: Int(truncatingIfNeeded: number))
      job.columns.idLength[row] = UInt32(truncatingIfNeeded: job.columns.idBytes.count - firstID)
    }
    let error = received.job.columns.errorBytes.slice(received[.errorBytes])
    guard !error.isEmpty else { return }
    job.columns.errorBytes.buffer.truncate(to: firstError)
    for byte in "\(position)".utf8 { job.columns.errorBytes.append(byte) }
    let colon = error.bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
    job.columns.errorBytes.append(contentsOf: error.slice(colon, error.count).bytes)
    job.columns.errorLength[row] = UInt32(truncatingIfNeeded: job.columns.errorBytes.count - firstError)
  }

  func number(of name: UnsafeRawBufferPointer) -> UInt32 { job.number(ofName: ByteString(name)) }

  func damaged(_ path: String) -> TableError {
    TableError(path, "contradicts the other tables of its variant; lay out the rows without --base")
  }
}
