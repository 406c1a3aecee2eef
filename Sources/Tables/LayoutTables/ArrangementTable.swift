import TableFormats

/// The writer of arrangement.arrow.
public struct ArrangementTable: ~Copyable {
  /// The name of the file in a variant's directory.
  public static let fileName = "arrangement.arrow"

  private let replacement: FileReplacement
  private var file: TableFileWriter<ArrangementColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private var rows: UInt64 = 0

  /// - Parameters:
  ///   - directory: The directory of the variant. An arrangement that it has is replaced when this one is complete.
  ///   - metadata: The metadata of the table's schema.
  package init(in directory: String, metadata: [ArrowMetadataEntry]) throws(OutputError) {
    let replacement = try FileReplacement("\(directory)/\(Self.fileName)")
    file = try TableFileWriter(creating: replacement.temporaryPath, metadata: metadata, ArrangementColumns.init)
    self.replacement = replacement
  }

  /// The path of the finished file.
  public var path: String { replacement.path }

  /// Appends the frame of the next row.
  public mutating func append(
    x: Double, y: Double, width: Float, height: Float, column: Int
  ) throws(OutputError) {
    let columns = file.columns
    columns.row.append(rows)
    columns.x.append(x)
    columns.y.append(y)
    columns.width.append(width)
    columns.height.append(height)
    columns.column.append(UInt16(truncatingIfNeeded: column))
    rows += 1
    try file.endRecords()
  }

  /// Completes the file and moves it to its path.
  public mutating func finish() throws(OutputError) {
    try file.finish()
    try replacement.complete()
  }
}
