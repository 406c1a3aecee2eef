import Buffers

/// What laying out one job in one variant gives, column by column, as it travels from a worker to the merge.
///
/// Values that depend on other jobs (the offset `y`, the first frame) are left to the merge; names are numbered in
/// the order in which the job first has them.
public struct JobColumns: ~Copyable {
  // One value a row.
  public var width = FlatBuffer<Float>()
  public var height = FlatBuffer<Float>()
  public var frameCount = FlatBuffer<UInt32>()
  public var cell = FlatBuffer<UInt32>()
  public var idLength = FlatBuffer<UInt32>()
  /// 0 for a good row.
  public var errorLength = FlatBuffer<UInt32>()
  public var idBytes = FlatBuffer<UInt8>()
  public var errorBytes = FlatBuffer<UInt8>()

  /// Characters of the row's texts for which no font has a glyph.
  public var missingGlyphs = FlatBuffer<UInt16>()

  // One value a row with missing glyphs: its number in the job, and the first different characters in UTF-8.
  public var missingRow = FlatBuffer<UInt32>()
  public var missingLength = FlatBuffer<UInt32>()
  public var missingBytes = FlatBuffer<UInt8>()

  // One value a frame.
  public var node = FlatBuffer<UInt32>()
  public var type = FlatBuffer<UInt8>()
  public var parent = FlatBuffer<Int32>()
  public var x = FlatBuffer<Float>()
  public var y = FlatBuffer<Float>()
  public var frameWidth = FlatBuffer<Float>()
  public var frameHeight = FlatBuffer<Float>()
  public var lines = FlatBuffer<UInt16>()
  public var truncated = FlatBuffer<UInt8>()

  // One value a resource. `resourceFrame` counts the job's frames.
  public var resourceRow = FlatBuffer<UInt32>()
  public var resourceFrame = FlatBuffer<UInt32>()
  public var resourceURLLength = FlatBuffer<UInt32>()
  public var resourceURLBytes = FlatBuffer<UInt8>()

  /// Names of nodes and cells, numbered from 0.
  public var names = NameTable()

  public init() {}

  public mutating func removeAll() {
    width.removeAll()
    height.removeAll()
    frameCount.removeAll()
    cell.removeAll()
    idLength.removeAll()
    errorLength.removeAll()
    idBytes.removeAll()
    errorBytes.removeAll()
    missingGlyphs.removeAll()
    missingRow.removeAll()
    missingLength.removeAll()
    missingBytes.removeAll()
    node.removeAll()
    type.removeAll()
    parent.removeAll()
    x.removeAll()
    y.removeAll()
    frameWidth.removeAll()
    frameHeight.removeAll()
    lines.removeAll()
    truncated.removeAll()
    resourceRow.removeAll()
    resourceFrame.removeAll()
    resourceURLLength.removeAll()
    resourceURLBytes.removeAll()
    names.removeAll()
  }

  /// Adds a row that could not be laid out: height 0, no frames, the error.
  public mutating func appendBadRow(id: String, cell: ByteString = .empty, error: String) {
    width.append(0)
    height.append(0)
    frameCount.append(0)
    self.cell.append(names.number(of: cell))
    missingGlyphs.append(0)
    Self.append(id, to: &idBytes, length: &idLength)
    Self.append(error, to: &errorBytes, length: &errorLength)
  }

  private static func append(
    _ text: String, to bytes: inout FlatBuffer<UInt8>, length: inout FlatBuffer<UInt32>
  ) {
    var text = text
    text.withUTF8 { utf8 in
      bytes.append(contentsOf: utf8)
      length.append(UInt32(truncatingIfNeeded: utf8.count))
    }
  }

  /// Bytes that `write` takes.
  public var encodedSize: Int {
    var size = JobTable.headerSize
    forEachColumn { size += JobTable.padded($0.count) }
    return size
  }

  /// Writes the columns one after the other, each from a multiple of eight bytes on.
  public func write(to destination: UnsafeMutableRawPointer) {
    let counts = [
      width.count, node.count, names.count, resourceRow.count, idBytes.count, errorBytes.count, names.bytes.count,
      resourceURLBytes.count, missingRow.count, missingBytes.count,
    ]
    for (index, count) in counts.enumerated() {
      destination.storeBytes(of: UInt64(count).littleEndian, toByteOffset: index * 8, as: UInt64.self)
    }
    var offset = JobTable.headerSize
    forEachColumn { column in
      if let start = column.baseAddress { (destination + offset).copyMemory(from: start, byteCount: column.count) }
      let end = offset + column.count
      offset += JobTable.padded(column.count)
      (destination + end).initializeMemory(as: UInt8.self, repeating: 0, count: offset - end)
    }
  }

  /// The order of `JobTable`'s columns.
  private func forEachColumn(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(width.bytes)
    body(height.bytes)
    body(frameCount.bytes)
    body(cell.bytes)
    body(idLength.bytes)
    body(errorLength.bytes)
    body(missingGlyphs.bytes)
    body(missingRow.bytes)
    body(missingLength.bytes)
    body(node.bytes)
    body(type.bytes)
    body(parent.bytes)
    body(x.bytes)
    body(y.bytes)
    body(frameWidth.bytes)
    body(frameHeight.bytes)
    body(lines.bytes)
    body(truncated.bytes)
    body(resourceRow.bytes)
    body(resourceFrame.bytes)
    body(resourceURLLength.bytes)
    body(names.lengths.bytes)
    body(idBytes.bytes)
    body(errorBytes.bytes)
    body(names.bytes.bytes)
    body(resourceURLBytes.bytes)
    body(missingBytes.bytes)
  }
}
