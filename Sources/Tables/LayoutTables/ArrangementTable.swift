import ArrowFormat
import Buffers

/// The writer of arrangement.arrow, which has one record for each row: where its cell lies in a list with columns.
public struct ArrangementTable: ~Copyable {
  /// The name of the file in a variant's directory.
  public static let fileName = "arrangement.arrow"
  /// The number of records in a batch.
  static let batchSize = 65_536

  private static let fields = [
    ArrowField(name: "row", type: .uint64), ArrowField(name: "x", type: .float64),
    ArrowField(name: "y", type: .float64), ArrowField(name: "width", type: .float32),
    ArrowField(name: "height", type: .float32), ArrowField(name: "column", type: .uint16),
  ]

  private let replacement: FileReplacement
  private var writer: ArrowFileWriter
  private var rows: UInt64 = 0
  private var row = FlatBuffer<UInt64>(capacity: batchSize)
  private var x = FlatBuffer<Double>(capacity: batchSize)
  private var y = FlatBuffer<Double>(capacity: batchSize)
  private var width = FlatBuffer<Float>(capacity: batchSize)
  private var height = FlatBuffer<Float>(capacity: batchSize)
  private var column = FlatBuffer<UInt16>(capacity: batchSize)

  /// - Parameters:
  ///   - directory: The directory of the variant. An arrangement that it has is replaced when this one is complete.
  ///   - metadata: The metadata of the table's schema.
  package init(in directory: String, metadata: [ArrowMetadataEntry]) throws(OutputError) {
    let replacement = try FileReplacement("\(directory)/\(Self.fileName)")
    let schema = ArrowSchema(Self.fields, metadata: metadata)
    writer = try ArrowFileWriter(creating: replacement.temporaryPath, schema)
    self.replacement = replacement
  }

  /// The path of the finished file.
  public var path: String { replacement.path }

  /// Appends the frame of the next row.
  public mutating func append(
    x left: Double, y top: Double, width cellWidth: Float, height cellHeight: Float, column index: Int
  ) throws(OutputError) {
    row.append(rows)
    x.append(left)
    y.append(top)
    width.append(cellWidth)
    height.append(cellHeight)
    column.append(UInt16(truncatingIfNeeded: index))
    rows += 1
    if row.count == Self.batchSize { try flush() }
  }

  /// Completes the file and moves it to its path.
  public mutating func finish() throws(OutputError) {
    if row.count > 0 || rows == 0 { try flush() }
    try writer.finish()
    try replacement.complete()
  }

  private mutating func flush() throws(OutputError) {
    try writer.write(
      rows: row.count,
      [
        ArrowColumn(row.bytes), ArrowColumn(x.bytes), ArrowColumn(y.bytes), ArrowColumn(width.bytes),
        ArrowColumn(height.bytes), ArrowColumn(column.bytes),
      ])
    row.removeAll()
    x.removeAll()
    y.removeAll()
    width.removeAll()
    height.removeAll()
    column.removeAll()
  }
}
