import Glibc

/// The three tables of one variant. Jobs are appended to them in row order.
public struct VariantTables: ~Copyable {
  /// The names of the files that a run writes to a variant's directory.
  static let fileNames = ["heights.arrow", "frames.arrow", "resources.arrow"]

  /// Returns whether a file in a variant's directory is Galley's, so that a new run may replace it: a table, the
  /// arrangement, or an arrangement that was not completed.
  static func isOwn(_ name: String) -> Bool {
    fileNames.contains(name) || name == ArrangementTable.fileName
      || name.hasPrefix(FileReplacement.temporaryPrefix(of: ArrangementTable.fileName))
  }

  private var heights: HeightTable
  private var frames: FrameTable
  private var resources: ResourceTable

  /// - Parameters:
  ///   - types: the names of the frame types by their codes.
  ///   - scale: the number of device pixels in a point.
  public init(in directory: String, types: [String], scale: Double) throws(OutputError) {
    guard mkdir(directory, 0o777) == 0 else { throw OutputError(directory, errno: errno) }
    let heights = try HeightTable(creating: directory + "/heights.arrow")
    let frames = try FrameTable(creating: directory + "/frames.arrow", types: types)
    let resources = try ResourceTable(creating: directory + "/resources.arrow", types: types, scale: scale)
    self.heights = heights
    self.frames = frames
    self.resources = resources
  }

  public var rows: UInt64 { heights.rows }
  public var badRows: UInt64 { heights.bad }
  public var frameCount: UInt64 { heights.frames }
  public var totalHeight: Double { heights.totalHeight }
  public var size: Int64 { heights.size + frames.size + resources.size }
  /// The checksums of the files so far, in the order of `fileNames`.
  var checksums: [UInt64] { [heights.checksum, frames.checksum, resources.checksum] }

  public mutating func append(_ job: JobTable) throws(OutputError) {
    let firstRow = heights.rows
    let top = heights.totalHeight
    try heights.append(job)
    try frames.append(job, firstRow: firstRow)
    try resources.append(job, firstRow: firstRow, top: top)
  }

  public mutating func finish() throws(OutputError) {
    try heights.finish()
    try frames.finish()
    try resources.finish()
  }
}
