import Glibc
import Hashing
import Processes
import TableFormats

/// The tables of one variant. Jobs are appended to them in row order.
final class VariantTables {
  /// The names of the files that a run writes to a variant's directory: frames.arrow only if it has frames, and the last two
  /// only if it has lines.
  static let fileNames = ["heights.arrow", "frames.arrow", "resources.arrow", "lines.arrow", "texts.arrow"]

  /// Returns whether a file in a variant's directory is Galley's, so that a new run may replace it: a table, the
  /// arrangement, or an arrangement that was not completed.
  static func isOwn(_ name: String) -> Bool {
    fileNames.contains(name) || name == ArrangementTable.fileName
      || LockedDirectory.isMade(name, ofPrefix: FileReplacement.temporaryPrefix(of: ArrangementTable.fileName))
  }

  private let name: String
  private var heights: HeightTable
  private var frames: FrameTable?
  private var resources: ResourceTable
  private var lines: LineTable?
  private var texts: TextTable?

  /// - Parameters:
  ///   - run: the directory of the run, in which the variant gets its own.
  ///   - name: the name of the variant.
  ///   - types: the names of the frame types by their codes.
  ///   - scale: the number of device pixels in a point.
  ///   - hasFrames: whether the frames are written.
  ///   - hasLines: whether the lines of texts are written.
  init(
    in run: String, name: String, types: [String], scale: Double, hasFrames: Bool, hasLines: Bool
  ) throws(OutputError) {
    let directory = run + "/" + name
    guard mkdir(directory, 0o777) == 0 else { throw OutputError(directory, errno: errno) }
    let heights = try HeightTable(creating: directory + "/heights.arrow", variant: name, hasFrames: hasFrames)
    let frames = hasFrames ? try FrameTable(creating: directory + "/frames.arrow", types: types) : nil
    let resources = try ResourceTable(creating: directory + "/resources.arrow", types: types, scale: scale)
    let lines = hasLines ? try LineTable(creating: directory + "/lines.arrow") : nil
    let texts = hasLines ? try TextTable(creating: directory + "/texts.arrow") : nil
    self.name = name
    self.heights = heights
    self.frames = frames
    self.resources = resources
    self.lines = lines
    self.texts = texts
  }

  var rows: UInt64 { heights.rows }

  /// The totals of the tables so far.
  var summary: BatchTables.Summary {
    BatchTables.Summary(
      name: name, rows: heights.rows, badRows: heights.bad, frames: heights.frames, height: heights.totalHeight,
      size: heights.file.size + (frames?.file.size ?? 0) + resources.file.size + (lines?.file.size ?? 0)
        + (texts?.file.size ?? 0),
      checksums: [
        "heights": heights.file.checksum, "frames": frames?.file.checksum, "resources": resources.file.checksum,
        "lines": lines?.file.checksum, "texts": texts?.file.checksum,
      ].compactMapValues(\.self),
      uncertainShare: heights.bounded == 0 ? nil : Double(heights.uncertain) / Double(heights.bounded))
  }

  func append(_ job: JobTable) throws(OutputError) {
    let firstRow = heights.rows
    let top = heights.totalHeight
    try heights.append(job)
    try frames?.append(job, firstRow: firstRow)
    try resources.append(job, firstRow: firstRow, top: top)
    try lines?.append(job, firstRow: firstRow)
    try texts?.append(job, firstRow: firstRow)
  }

  /// Finishes the tables. Those that belong to frames state the checksum of these, so that readers find tables of different runs.
  func finish() throws(OutputError) {
    try frames?.file.writeRest()
    let checksum = frames?.file.checksum
    let metadata = checksum.map { [ArrowMetadataEntry(TableMetadata.frames, Checksum.digits(of: $0))] } ?? []
    try heights.file.finish(metadata: metadata)
    try frames?.file.close(metadata: metadata)
    // The resources are the same without frames.
    try resources.file.finish()
    try lines?.file.finish(metadata: metadata)
    try texts?.file.finish(metadata: metadata)
  }
}
