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
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  init?(_ metadata: [ArrowMetadataEntry], beside path: String, _ cells: Heights) throws(TableError) {
    let headers = ArrangementSummary.headers(metadata)
    let directory = VariantDirectory(path)
    guard let variant = headers.variant, variant != directory.name else { return nil }
    let resources = "\(directory.parent)/\(variant)/resources.arrow"
    guard FileManager.default.fileExists(atPath: resources) else { return nil }
    self.resources = try Resources(resources)
    self.cells = cells
    isHeaderClass = cells.cells.map { cell in headers.classes.contains { $0 == cell } }
  }

  func contains(_ row: Int) throws(TableError) -> Bool { isHeaderClass[try cells.cellIndex(of: row)] }
}
