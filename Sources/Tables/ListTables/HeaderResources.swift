import Foundation
import TableFormats

/// The resources of the headers and footers of an arrangement whose cells are of another variant.
struct HeaderResources: Sendable {
  let resources: Resources
  private let cells: Heights
  /// Whether each cell class of `cells` is one of headers or footers.
  private let isHeaderClass: [Bool]

  /// Returns nil if the headers are of the variant of the cells, or if theirs is not beside it: an arrangement may be copied
  /// with one variant alone.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the arrangement.
  ///   - path: The directory of the variant that has the cells.
  ///   - height: Returns the height of a row in the arrangement.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version, and for headers of another
  ///   run.
  init?(
    _ metadata: [ArrowMetadataEntry], beside path: String, _ cells: Heights, height: (_ row: Int) -> Float
  ) throws(TableError) {
    let headers = ArrangementSummary.headers(metadata)
    let directory = VariantDirectory(path)
    guard let variant = headers.variant, variant != directory.name else { return nil }
    let headersPath = "\(directory.parent)/\(variant)"
    guard FileManager.default.fileExists(atPath: "\(headersPath)/resources.arrow") else { return nil }
    resources = try Resources("\(headersPath)/resources.arrow")
    self.cells = cells
    isHeaderClass = cells.cells.map { cell in headers.classes.contains { $0 == cell } }
    try check(try Heights("\(headersPath)/heights.arrow"), headersPath, cellsPath: path, height)
  }

  /// Throws a `TableError` if the variant beside the cells has other headers than the arrangement. The directories of two runs
  /// can be copied beside each other.
  private func check(
    _ heights: Heights, _ path: String, cellsPath: String, _ height: (_ row: Int) -> Float
  ) throws(TableError) {
    func otherRun(_ difference: String) -> TableError {
      TableError(
        path,
        "\(difference), as it is of another run than \(cellsPath)/\(Arrangement.fileName), which has its headers from here; lay "
          + "both widths out in one run, and arrange the list again (galley arrange)")
    }
    guard heights.rowCount == cells.rowCount else {
      throw otherRun("has \(heights.rowCount) rows instead of \(cells.rowCount)")
    }
    for row in 0..<cells.rowCount where try contains(row) {
      guard heights.height(of: row) == height(row), try heights.idBytes(of: row).elementsEqual(cells.idBytes(of: row))
      else { throw otherRun("its row \(row) is another header") }
    }
  }

  func contains(_ row: Int) throws(TableError) -> Bool { isHeaderClass[try cells.cellIndex(of: row)] }
}
