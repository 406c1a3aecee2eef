import ArrowFormat
import Buffers

/// The writer of heights.arrow, which has one record for each row.
struct HeightTable: ~Copyable {
  /// The number of records in a batch. It is fixed, so that the file does not depend on how the rows were split into
  /// jobs.
  static let batchSize = 65_536

  private static let cellDictionary: Int64 = 0
  private static let fields = [
    ArrowField(name: "row", type: .uint64), ArrowField(name: "id", type: .utf8),
    ArrowField(name: "cell", type: .dictionary(id: cellDictionary, indexBits: 32)),
    ArrowField(name: "width", type: .float32), ArrowField(name: "height", type: .float32),
    ArrowField(name: "y", type: .float64), ArrowField(name: "first_frame", type: .uint64),
    ArrowField(name: "frame_count", type: .uint32), ArrowField(name: "error", type: .utf8, isNullable: true),
    ArrowField(name: "missing_glyphs", type: .uint16),
  ]

  private var writer: ArrowFileWriter
  private var row = FlatBuffer<UInt64>(capacity: batchSize)
  private var id = StringColumn()
  private var cell = FlatBuffer<UInt32>(capacity: batchSize)
  private var width = FlatBuffer<Float>(capacity: batchSize)
  private var height = FlatBuffer<Float>(capacity: batchSize)
  private var y = FlatBuffer<Double>(capacity: batchSize)
  private var firstFrame = FlatBuffer<UInt64>(capacity: batchSize)
  private var frameCount = FlatBuffer<UInt32>(capacity: batchSize)
  private var error = StringColumn()
  private var hasError = BitColumn()
  private var badInBatch = 0
  private var missingGlyphs = FlatBuffer<UInt16>(capacity: batchSize)
  private var cells = NameTable()

  /// Rows, their bad ones, their frames and the sum of their heights so far.
  private(set) var rows: UInt64 = 0
  private(set) var bad: UInt64 = 0
  private(set) var frames: UInt64 = 0
  private(set) var totalHeight = 0.0

  init(creating path: String) throws(OutputError) {
    self.init(writer: try ArrowFileWriter(creating: path, ArrowSchema(Self.fields)))
  }

  private init(writer: ArrowFileWriter) { self.writer = writer }

  var size: Int64 { writer.size }
  var checksum: UInt64 { writer.checksum }

  mutating func append(_ job: JobTable) throws(OutputError) {
    let cellNumbers = Renumbering(job)
    var idStart = 0
    var errorStart = 0
    for index in 0..<job.rowCount {
      row.append(rows)
      let idEnd = idStart + Int(job.columns.idLength[index])
      id.append(job.columns.idBytes.slice(idStart, idEnd))
      idStart = idEnd
      cell.append(cellNumbers.number(job.columns.cell[index], in: &cells))
      width.append(job.columns.width[index])
      height.append(job.columns.height[index])
      y.append(totalHeight)
      firstFrame.append(frames)
      frameCount.append(job.columns.frameCount[index])
      let errorEnd = errorStart + Int(job.columns.errorLength[index])
      error.append(job.columns.errorBytes.slice(errorStart, errorEnd))
      let isBad = errorEnd > errorStart
      hasError.append(isBad)
      if isBad {
        bad += 1
        badInBatch += 1
      }
      errorStart = errorEnd
      missingGlyphs.append(job.columns.missingGlyphs[index])
      rows += 1
      frames += UInt64(job.columns.frameCount[index])
      // Heights are added row by row, so that the sum does not depend on how the rows were split into jobs.
      totalHeight += Double(job.columns.height[index])
      if row.count == Self.batchSize || id.isFull || error.isFull { try flush() }
    }
  }

  mutating func finish() throws(OutputError) {
    if row.count > 0 || rows == 0 { try flush() }
    try writer.write(dictionary: Self.cellDictionary, cells)
    try writer.finish()
  }

  private mutating func flush() throws(OutputError) {
    try writer.write(
      rows: row.count,
      [
        ArrowColumn(row.bytes), id.column, ArrowColumn(cell.bytes), ArrowColumn(width.bytes),
        ArrowColumn(height.bytes), ArrowColumn(y.bytes), ArrowColumn(firstFrame.bytes),
        ArrowColumn(frameCount.bytes),
        ArrowColumn(
          offsets: error.offsets.bytes, bytes: error.bytes.bytes, validity: hasError.bytes.bytes,
          nullCount: row.count - badInBatch),
        ArrowColumn(missingGlyphs.bytes),
      ])
    row.removeAll()
    id.removeAll()
    cell.removeAll()
    width.removeAll()
    height.removeAll()
    y.removeAll()
    firstFrame.removeAll()
    frameCount.removeAll()
    error.removeAll()
    hasError.removeAll()
    badInBatch = 0
    missingGlyphs.removeAll()
  }
}
