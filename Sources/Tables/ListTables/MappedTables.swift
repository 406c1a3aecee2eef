import Foundation

/// The tables of one variant of a list, mapped into memory. Opening them and looking a row up take the same time for a
/// list of a thousand rows and of ten million.
public struct MappedTables: Sendable {
  /// The directory of the variant, such as `tables/w390`.
  public let path: String
  public let heights: Heights
  public let frames: Frames
  public let resources: Resources

  /// Maps the tables in the directory of a variant.
  ///
  /// - Parameter path: The path of the directory, such as `tables/w390`.
  /// - Throws: `TableError` if tables are missing, damaged, of another version, or not of the same run.
  public init(_ path: String) throws(TableError) {
    try VariantDirectory(path).check()
    self.path = path
    heights = try Heights(path + "/heights.arrow")
    frames = try Frames(path + "/frames.arrow")
    resources = try Resources(path + "/resources.arrow")
    guard heights.frameCount == frames.count else {
      throw TableError(
        path,
        "heights.arrow and frames.arrow are of different runs: the rows have \(heights.frameCount) frames, the table has "
          + "\(frames.count); copy all files of the directory again")
    }
    let last = resources.count > 0 ? try resources.resource(resources.count - 1).row : -1
    guard last < heights.rowCount else {
      throw TableError(
        path,
        "heights.arrow and resources.arrow are of different runs: a resource is of row \(last), but there are "
          + "\(heights.rowCount) rows; copy all files of the directory again")
    }
  }

  /// The bytes of heights.arrow, frames.arrow and resources.arrow.
  package var files: [UnsafeRawBufferPointer] { [heights.bytes, frames.bytes, resources.bytes] }

  /// Returns the frames of a row's nodes.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place.
  public func frames(of row: Int) throws(TableError) -> [NodeFrame] {
    var row = try heights.frames(of: row).makeIterator()
    var frames: [NodeFrame] = []
    while let index = row.next() { frames.append(try self.frames.frame(index)) }
    return frames
  }

  /// Returns the resources of a row.
  ///
  /// - Throws: `TableError` if the tables are damaged at this place.
  public func resources(of row: Int) throws(TableError) -> [Resource] {
    var resources: [Resource] = []
    for index in self.resources.resources(of: row..<row + 1) { resources.append(try self.resources.resource(index)) }
    return resources
  }
}
