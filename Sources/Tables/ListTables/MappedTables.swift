import Foundation

/// The tables of one variant of a list. The heights are in memory; frames and resources are read from their files where
/// they are needed.
///
/// A file that is truncated or overwritten while it is open is a `TableError` that names it. It never ends the process.
public struct MappedTables: Sendable {
  /// The directory of the variant, such as `tables/w390`.
  public let path: String
  public let heights: Heights
  /// The frames of the rows' nodes; none if the run was asked for heights alone.
  public let frames: Frames
  /// Whether the run has written frames.
  public let hasFrames: Bool
  public let resources: Resources
  /// The lines of texts, if the run has written them.
  let texts: TextTables?

  /// Opens the tables in the directory of a variant.
  ///
  /// - Parameter path: The path of the directory, such as `tables/w390`.
  /// - Throws: `TableError` if tables are missing, damaged, of another version, or of different runs or variants with other frames.
  public init(_ path: String) throws(TableError) {
    self = try VariantDirectory(path).reading { () throws(TableError) in try MappedTables(opening: path) }
  }

  private init(opening path: String) throws(TableError) {
    try VariantDirectory(path).check()
    self.path = path
    heights = try Heights(path + "/heights.arrow")
    hasFrames = heights.frameCount > 0 || FileManager.default.fileExists(atPath: path + "/frames.arrow")
    frames = hasFrames ? try Frames(path + "/frames.arrow") : Frames(without: heights)
    resources = try Resources(path + "/resources.arrow")
    // A directory with one of the two files lacks the other, which is an error.
    let hasTexts = ["/lines.arrow", "/texts.arrow"].contains { FileManager.default.fileExists(atPath: path + $0) }
    texts = hasTexts ? try TextTables(path) : nil
    guard heights.frameCount == frames.count else {
      throw differentRuns("frames.arrow", "the rows have \(heights.frameCount) frames, the table has \(frames.count)")
    }
    try checkResources()
    try check("frames.arrow", frames.framesChecksum)
    try check("lines.arrow", texts?.lines.framesChecksum)
    try check("texts.arrow", texts?.texts.framesChecksum)
  }

  private func check(_ name: String, _ framesChecksum: String?) throws(TableError) {
    guard let framesChecksum, let own = heights.framesChecksum, own != framesChecksum else { return }
    throw differentRuns(name, "heights.arrow belongs to the frames \(own), the other to \(framesChecksum)")
  }

  private func checkResources() throws(TableError) {
    guard resources.count > 0 else { return }
    guard let last = resources.row(of: resources.count - 1) else {
      throw TableError.damaged(resources.path, "its last resource is not readable")
    }
    guard last < heights.rowCount else {
      throw differentRuns("resources.arrow", "a resource is of row \(last), but there are \(heights.rowCount) rows")
    }
  }

  private func differentRuns(_ name: String, _ reason: String) -> TableError {
    TableError(
      path, "heights.arrow and \(name) are of different runs: \(reason); copy all files of the directory again")
  }

  /// The files of the tables that there are, by the names of these.
  package var files: [(table: String, file: TableFile)] {
    [("heights", heights.file)] + (hasFrames ? [("frames", frames.file)] : []) + [("resources", resources.file)]
      + (texts.map { [("lines", $0.lines.file), ("texts", $0.texts.file)] } ?? [])
  }

  /// Whether the run has written the lines of texts.
  public var hasLines: Bool { texts != nil }

  /// Returns the texts of a row as they are drawn, with their lines, in the order of the frames; none without lines.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place, or have changed since they were opened.
  public func texts(of row: Int) throws(TableError) -> [DrawnText] { try textCursors()?.texts(of: row) ?? [] }

  /// Returns the characters of each line of a row's first text with this name; none without lines.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place, or have changed since they were opened.
  public func lines(_ row: Int, _ node: String) throws(TableError) -> [String] {
    guard let text = try texts(of: row).first(where: { $0.node == node }) else { return [] }
    return text.lines.map { text.characters(of: $0) }
  }

  /// Returns the frames of a row's nodes.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place, or have changed since they were opened.
  public func frames(of row: Int) throws(TableError) -> [NodeFrame] {
    try frames.frames(heights.frames(of: row), frames.cursor())
  }

  /// Returns the resources of a row.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place, or have changed since they were opened.
  public func resources(of row: Int) throws(TableError) -> [Resource] {
    try resources.resources(resources.resources(of: row..<row + 1), resources.cursor())
  }
}
