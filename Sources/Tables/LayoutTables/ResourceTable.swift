import ArrowFormat
import Buffers

/// The writer of resources.arrow, which has one record for each URL to prefetch, in the order of the frames that show
/// it.
struct ResourceTable: ~Copyable {
  static let batchSize = 65_536

  private static let nodeDictionary: Int64 = 0
  private static let typeDictionary: Int64 = 1
  private static let fields = [
    ArrowField(name: "row", type: .uint64),
    ArrowField(name: "node", type: .dictionary(id: nodeDictionary, indexBits: 32)),
    ArrowField(name: "url", type: .utf8),
    ArrowField(name: "type", type: .dictionary(id: typeDictionary, indexBits: 8)),
    ArrowField(name: "y", type: .float64), ArrowField(name: "pixel_width", type: .uint32),
    ArrowField(name: "pixel_height", type: .uint32), ArrowField(name: "width", type: .float32),
    ArrowField(name: "height", type: .float32),
  ]

  private var writer: ArrowFileWriter
  private var row = FlatBuffer<UInt64>(capacity: batchSize)
  private var node = FlatBuffer<UInt32>(capacity: batchSize)
  private var url = StringColumn()
  private var type = FlatBuffer<UInt8>(capacity: batchSize)
  private var y = FlatBuffer<Double>(capacity: batchSize)
  private var pixelWidth = FlatBuffer<UInt32>(capacity: batchSize)
  private var pixelHeight = FlatBuffer<UInt32>(capacity: batchSize)
  private var width = FlatBuffer<Float>(capacity: batchSize)
  private var height = FlatBuffer<Float>(capacity: batchSize)
  private var nodes = NameTable()
  private let types: [String]
  /// The number of device pixels in a point.
  private let scale: Double
  private var hasBatches = false

  init(creating path: String, types: [String], scale: Double) throws(OutputError) {
    self.init(writer: try ArrowFileWriter(creating: path, ArrowSchema(Self.fields)), types: types, scale: scale)
  }

  private init(writer: ArrowFileWriter, types: [String], scale: Double) {
    self.writer = writer
    self.types = types
    self.scale = scale
  }

  var size: Int64 { writer.size }
  var checksum: UInt64 { writer.checksum }

  /// - Parameters:
  ///   - firstRow: the number of the job's first row in the table.
  ///   - top: the offset of that row in the list, in points.
  mutating func append(_ job: JobTable, firstRow: UInt64, top: Double) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    var urlStart = 0
    var rowTop = top
    var jobRow = 0
    for index in 0..<job.resourceCount {
      let resourceRow = Int(job.columns.resourceRow[index])
      while jobRow < resourceRow {
        rowTop += Double(job.columns.height[jobRow])
        jobRow += 1
      }
      let frame = Int(job.columns.resourceFrame[index])
      row.append(firstRow + UInt64(resourceRow))
      node.append(nodeNumbers.number(job.columns.node[frame], in: &nodes))
      let urlEnd = urlStart + Int(job.columns.resourceURLLength[index])
      url.append(job.columns.resourceURLBytes.slice(urlStart, urlEnd))
      urlStart = urlEnd
      type.append(job.columns.type[frame])
      y.append(rowTop + Double(job.columns.y[frame]))
      pixelWidth.append(pixelCount(covering: job.columns.frameWidth[frame], scale: scale))
      pixelHeight.append(pixelCount(covering: job.columns.frameHeight[frame], scale: scale))
      width.append(job.columns.frameWidth[frame])
      height.append(job.columns.frameHeight[frame])
      if row.count == Self.batchSize || url.isFull { try flush() }
    }
  }

  mutating func finish() throws(OutputError) {
    if row.count > 0 || !hasBatches { try flush() }
    try writer.write(dictionary: Self.nodeDictionary, nodes)
    try writer.write(dictionary: Self.typeDictionary, NameTable(types))
    try writer.finish()
  }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try writer.write(
      rows: row.count,
      [
        ArrowColumn(row.bytes), ArrowColumn(node.bytes), url.column, ArrowColumn(type.bytes), ArrowColumn(y.bytes),
        ArrowColumn(pixelWidth.bytes), ArrowColumn(pixelHeight.bytes), ArrowColumn(width.bytes),
        ArrowColumn(height.bytes),
      ])
    row.removeAll()
    node.removeAll()
    url.removeAll()
    type.removeAll()
    y.removeAll()
    pixelWidth.removeAll()
    pixelHeight.removeAll()
    width.removeAll()
    height.removeAll()
  }
}

/// Returns the number of whole pixels that cover a length in points.
///
/// - Parameter scale: The number of device pixels in a point.
func pixelCount(covering points: Float, scale: Double) -> UInt32 {
  let pixels = (Double(points) * scale - 0.001).rounded(.up)
  return pixels > 0 ? UInt32(min(pixels, Double(UInt32.max))) : 0
}
