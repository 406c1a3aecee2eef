import ArrowFormat
import Buffers

/// The writer of frames.arrow, which has one record for each node.
struct FrameTable: ~Copyable {
  static let batchSize = 262_144

  private static let nodeDictionary: Int64 = 0
  private static let typeDictionary: Int64 = 1
  private static let fields = [
    ArrowField(name: "row", type: .uint64),
    ArrowField(name: "node", type: .dictionary(id: nodeDictionary, indexBits: 32)),
    ArrowField(name: "type", type: .dictionary(id: typeDictionary, indexBits: 8)),
    ArrowField(name: "parent", type: .int32), ArrowField(name: "x", type: .float32),
    ArrowField(name: "y", type: .float32), ArrowField(name: "width", type: .float32),
    ArrowField(name: "height", type: .float32), ArrowField(name: "lines", type: .uint16),
    ArrowField(name: "truncated", type: .bool),
  ]

  private var writer: ArrowFileWriter
  private var row = FlatBuffer<UInt64>(capacity: batchSize)
  private var node = FlatBuffer<UInt32>(capacity: batchSize)
  private var type = FlatBuffer<UInt8>(capacity: batchSize)
  private var parent = FlatBuffer<UInt8>(capacity: batchSize * 4)
  private var x = FlatBuffer<UInt8>(capacity: batchSize * 4)
  private var y = FlatBuffer<UInt8>(capacity: batchSize * 4)
  private var width = FlatBuffer<UInt8>(capacity: batchSize * 4)
  private var height = FlatBuffer<UInt8>(capacity: batchSize * 4)
  private var lines = FlatBuffer<UInt8>(capacity: batchSize * 2)
  private var truncated = BitColumn()
  private var nodes = NameTable()
  private let types: [String]
  private var hasBatches = false

  init(creating path: String, types: [String]) throws(OutputError) {
    self.init(writer: try ArrowFileWriter(creating: path, ArrowSchema(Self.fields)), types: types)
  }

  private init(writer: ArrowFileWriter, types: [String]) {
    self.writer = writer
    self.types = types
  }

  var size: Int64 { writer.size }
  var checksum: UInt64 { writer.checksum }

  /// - Parameter firstRow: the number of the job's first row in the table.
  mutating func append(_ job: JobTable, firstRow: UInt64) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    var jobRow = 0
    var leftInRow = job.rowCount > 0 ? job.columns.frameCount[0] : 0
    var done = 0
    while done < job.frameCount {
      let count = min(job.frameCount - done, Self.batchSize - row.count)
      var left = count
      while left > 0 {
        while leftInRow == 0 {
          jobRow += 1
          leftInRow = job.columns.frameCount[jobRow]
        }
        let run = min(Int(leftInRow), left)
        row.extend(by: run).update(repeating: firstRow + UInt64(jobRow), count: run)
        leftInRow -= UInt32(run)
        left -= run
      }
      let numbers = node.extend(by: count)
      for frame in 0..<count { numbers[frame] = nodeNumbers.number(job.columns.node[done + frame], in: &nodes) }
      truncated.append(contentsOf: job.columns.truncated.bytes(from: done, count: count))
      type.append(contentsOf: job.columns.type.bytes(from: done, count: count))
      parent.append(contentsOf: job.columns.parent.bytes(from: done, count: count))
      x.append(contentsOf: job.columns.x.bytes(from: done, count: count))
      y.append(contentsOf: job.columns.y.bytes(from: done, count: count))
      width.append(contentsOf: job.columns.frameWidth.bytes(from: done, count: count))
      height.append(contentsOf: job.columns.frameHeight.bytes(from: done, count: count))
      lines.append(contentsOf: job.columns.lines.bytes(from: done, count: count))
      done += count
      if row.count == Self.batchSize { try flush() }
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
        ArrowColumn(row.bytes), ArrowColumn(node.bytes), ArrowColumn(type.bytes), ArrowColumn(parent.bytes),
        ArrowColumn(x.bytes), ArrowColumn(y.bytes), ArrowColumn(width.bytes), ArrowColumn(height.bytes),
        ArrowColumn(lines.bytes), ArrowColumn(truncated.bytes.bytes),
      ])
    row.removeAll()
    node.removeAll()
    type.removeAll()
    parent.removeAll()
    x.removeAll()
    y.removeAll()
    width.removeAll()
    height.removeAll()
    lines.removeAll()
    truncated.removeAll()
  }
}

extension FlatBuffer where Element == UInt8 {
  mutating func append(contentsOf raw: UnsafeRawBufferPointer) {
    append(contentsOf: raw.assumingMemoryBound(to: UInt8.self))
  }
}
