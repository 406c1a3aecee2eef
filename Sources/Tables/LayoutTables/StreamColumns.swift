import ArrowFormat
import Buffers

/// The columns of a run of rows in one variant, as the stream has them: a row is one record with its frames and resources
/// in lists.
///
/// The types are those that every reader of Arrow has: no unsigned integers, dictionaries or unions.
struct StreamColumns: ~Copyable {
  private static let rowFields = [
    ArrowField(name: "variant", type: .utf8), ArrowField(name: "row", type: .int64),
    ArrowField(name: "id", type: .utf8), ArrowField(name: "cell", type: .utf8),
    ArrowField(name: "width", type: .float32), ArrowField(name: "height", type: .float32),
    ArrowField(name: "error", type: .utf8, isNullable: true),
  ]
  private static let frameFields = [
    ArrowField(name: "node", type: .utf8), ArrowField(name: "type", type: .utf8),
    ArrowField(name: "parent", type: .int32), ArrowField(name: "x", type: .float32),
    ArrowField(name: "y", type: .float32), ArrowField(name: "width", type: .float32),
    ArrowField(name: "height", type: .float32), ArrowField(name: "lines", type: .int32),
    ArrowField(name: "truncated", type: .bool),
  ]
  private static let resourceFields = [
    ArrowField(name: "node", type: .utf8), ArrowField(name: "url", type: .utf8),
    ArrowField(name: "type", type: .utf8), ArrowField(name: "y", type: .float32),
    ArrowField(name: "pixel_width", type: .int32), ArrowField(name: "pixel_height", type: .int32),
  ]

  static func fields(hasFrames: Bool) -> [ArrowField] {
    func list(_ name: String, _ fields: [ArrowField]) -> ArrowField {
      ArrowField(name: name, type: .list(ArrowField(name: "item", type: .structure(fields))))
    }
    return rowFields + (hasFrames ? [list("frames", frameFields)] : [])
      + [list("resources", resourceFields), ArrowField(name: "missing_glyphs", type: .int32)]
  }

  private let hasFrames: Bool
  /// The number of device pixels in a point.
  private let scale: Double
  private let name: NameTable
  private let types: NameTable
  private var nameStarts = FlatBuffer<Int>(capacity: 64)

  private var variant = StringColumn()
  private var row = FlatBuffer<Int64>(capacity: 1024)
  private var idOffsets = FlatBuffer<Int32>(capacity: 1024)
  private var cell = StringColumn()
  private var width = FlatBuffer<Float>(capacity: 1024)
  private var height = FlatBuffer<Float>(capacity: 1024)
  private var errorOffsets = FlatBuffer<Int32>(capacity: 1024)
  private var hasError = BitColumn()
  private var badRows = 0
  private var missingGlyphs = FlatBuffer<Int32>(capacity: 1024)

  private var frameOffsets = FlatBuffer<Int32>(capacity: 1024)
  private var node = StringColumn()
  private var type = StringColumn()
  private var lines = FlatBuffer<Int32>(capacity: 4096)
  private var truncated = BitColumn()

  private var resourceOffsets = FlatBuffer<Int32>(capacity: 1024)
  private var resourceNode = StringColumn()
  private var resourceType = StringColumn()
  private var urlOffsets = FlatBuffer<Int32>(capacity: 1024)
  private var y = FlatBuffer<Float>(capacity: 1024)
  private var pixelWidth = FlatBuffer<Int32>(capacity: 1024)
  private var pixelHeight = FlatBuffer<Int32>(capacity: 1024)

  init(variant: String, types: [String], scale: Double, hasFrames: Bool) {
    name = NameTable([variant])
    self.types = NameTable(types)
    self.scale = scale
    self.hasFrames = hasFrames
  }

  /// Fills the columns, and calls `body` with them.
  ///
  /// - Parameter firstRow: The number of the job's first row in the input.
  mutating func with(_ part: JobPart, firstRow: UInt64, _ body: ([ArrowColumn]) throws -> Void) rethrows {
    findNames(part.job)
    fillRows(part, firstRow)
    if hasFrames { fillFrames(part) }
    fillResources(part)
    var columns = rowColumns(part)
    if hasFrames { columns.append(frameColumn(part)) }
    columns.append(resourceColumn(part))
    columns.append(ArrowColumn(missingGlyphs.bytes))
    try body(columns)
  }

  // MARK: Rows

  private mutating func findNames(_ job: JobTable) {
    nameStarts.removeAll()
    nameStarts.append(0)
    for name in 0..<job.nameCount { nameStarts.append(nameStarts[name] + Int(job.columns.nameLength[name])) }
  }

  @inline(__always)
  private func name(_ number: UInt32, in job: JobTable) -> ByteString {
    job.columns.nameBytes.slice(nameStarts[Int(number)], nameStarts[Int(number) + 1])
  }

  private mutating func fillRows(_ part: JobPart, _ firstRow: UInt64) {
    let columns = part.job.columns
    variant.removeAll()
    row.removeAll()
    cell.removeAll()
    width.removeAll()
    height.removeAll()
    hasError.removeAll()
    badRows = 0
    missingGlyphs.removeAll()
    for index in part.rows {
      variant.append(name[0])
      row.append(Int64(firstRow) + Int64(index))
      cell.append(name(columns.cell[index], in: part.job))
      width.append(columns.width[index])
      height.append(columns.height[index])
      let isBad = columns.errorLength[index] > 0
      hasError.append(isBad)
      if isBad { badRows += 1 }
      missingGlyphs.append(Int32(columns.missingGlyphs[index]))
    }
    idOffsets.fill(lengths: columns.idLength, part.rows)
    errorOffsets.fill(lengths: columns.errorLength, part.rows)
  }

  private func rowColumns(_ part: JobPart) -> [ArrowColumn] {
    let columns = part.job.columns
    return [
      variant.column, ArrowColumn(row.bytes),
      ArrowColumn(offsets: idOffsets.bytes, bytes: columns.idBytes.bytes(part.idBytes)), cell.column,
      ArrowColumn(width.bytes), ArrowColumn(height.bytes),
      ArrowColumn(
        offsets: errorOffsets.bytes, bytes: columns.errorBytes.bytes(part.errorBytes),
        validity: hasError.bytes.bytes, nullCount: part.rows.count - badRows),
    ]
  }

  // MARK: Frames

  private mutating func fillFrames(_ part: JobPart) {
    let columns = part.job.columns
    node.removeAll()
    type.removeAll()
    lines.removeAll()
    truncated.removeAll()
    for frame in part.frames {
      node.append(name(columns.node[frame], in: part.job))
      type.append(types[Int(columns.type[frame])])
      lines.append(Int32(columns.lines[frame]))
    }
    truncated.append(contentsOf: columns.truncated.bytes(part.frames))
    frameOffsets.fill(lengths: columns.frameCount, part.rows)
  }

  private func frameColumn(_ part: JobPart) -> ArrowColumn {
    let columns = part.job.columns
    return ArrowColumn(
      listOffsets: frameOffsets.bytes, count: part.frames.count,
      fields: [
        node.column, type.column, ArrowColumn(columns.parent.bytes(part.frames)),
        ArrowColumn(columns.x.bytes(part.frames)), ArrowColumn(columns.y.bytes(part.frames)),
        ArrowColumn(columns.frameWidth.bytes(part.frames)), ArrowColumn(columns.frameHeight.bytes(part.frames)),
        ArrowColumn(lines.bytes), ArrowColumn(truncated.bytes.bytes),
      ])
  }

  // MARK: Resources

  private mutating func fillResources(_ part: JobPart) {
    let columns = part.job.columns
    resourceNode.removeAll()
    resourceType.removeAll()
    y.removeAll()
    pixelWidth.removeAll()
    pixelHeight.removeAll()
    resourceOffsets.removeAll()
    var row = part.rows.lowerBound
    for (count, index) in part.resources.enumerated() {
      while row <= Int(columns.resourceRow[index]) {
        resourceOffsets.append(Int32(truncatingIfNeeded: count))
        row += 1
      }
      let frame = Int(columns.resourceFrame[index])
      resourceNode.append(name(columns.node[frame], in: part.job))
      resourceType.append(types[Int(columns.type[frame])])
      y.append(columns.y[frame])
      pixelWidth.append(Int32(clamping: pixelCount(covering: columns.frameWidth[frame], scale: scale)))
      pixelHeight.append(Int32(clamping: pixelCount(covering: columns.frameHeight[frame], scale: scale)))
    }
    while row <= part.rows.upperBound {
      resourceOffsets.append(Int32(truncatingIfNeeded: part.resources.count))
      row += 1
    }
    urlOffsets.fill(lengths: columns.resourceURLLength, part.resources)
  }

  private func resourceColumn(_ part: JobPart) -> ArrowColumn {
    ArrowColumn(
      listOffsets: resourceOffsets.bytes, count: part.resources.count,
      fields: [
        resourceNode.column,
        ArrowColumn(offsets: urlOffsets.bytes, bytes: part.job.columns.resourceURLBytes.bytes(part.urlBytes)),
        resourceType.column, ArrowColumn(y.bytes), ArrowColumn(pixelWidth.bytes), ArrowColumn(pixelHeight.bytes),
      ])
  }
}

extension FlatBuffer<Int32> {
  /// Replaces the values by the offsets of strings or lists of these lengths.
  fileprivate mutating func fill(lengths: JobColumn<UInt32, ByteString>, _ range: Range<Int>) {
    removeAll()
    let offsets = extend(by: range.count + 1)
    var end: Int32 = 0
    offsets[0] = 0
    for (index, place) in range.enumerated() {
      end &+= Int32(truncatingIfNeeded: lengths[place])
      offsets[index + 1] = end
    }
  }
}

extension JobColumn where Storage == ByteString {
  /// Returns the bytes of a range of values.
  fileprivate func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    bytes(from: range.lowerBound, count: range.count)
  }
}
