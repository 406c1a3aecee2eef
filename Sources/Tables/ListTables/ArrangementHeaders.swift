import Buffers

/// The headers of a list that is arranged in columns, in the tables of a variant of the list's width.
struct ArrangementHeaders: Sendable {
  /// The directory of the variant.
  let path: String
  let heights: Heights
  /// The width of the list, in points.
  let width: Double
  /// Whether each cell class of `heights` is one of headers.
  private let isHeaderClass: [Bool]
  /// Whether each cell class of the variant with the cells is one of headers.
  private let isHeaderClassOfCells: [Bool]
  private let cellsPath: String

  /// - Parameters:
  ///   - classes: The names of the cell classes of headers.
  ///   - cells: The variant whose cells are arranged.
  ///   - cellsPath: The directory of `cells`.
  /// - Throws: `TableError` if the tables cannot be read, or are of other rows than `cells`.
  init(_ path: String, classes: [String], cells: Heights, path cellsPath: String) throws(TableError) {
    let directory = VariantDirectory(path)
    try directory.check()
    self.path = path
    self.cellsPath = cellsPath
    heights = try Heights(path + "/heights.arrow")
    width = directory.width(heights)
    isHeaderClass = heights.cells.map { classes.contains($0) }
    isHeaderClassOfCells = cells.cells.map { classes.contains($0) }
    guard heights.rowCount == cells.rowCount else {
      throw TableError(
        path,
        "has \(heights.rowCount) rows, but \(cellsPath) has \(cells.rowCount); lay both widths out in one run: \(Self.remedy(cellsPath, path))"
      )
    }
    if let name = directory.variantName(heights), let other = VariantDirectory(cellsPath).variantName(cells),
      !name.differsOnlyInWidth(from: other)
    {
      throw TableError(
        path,
        "has another platform, text scale or scale than \(cellsPath); give \(other.with(width: name.width)) of the same run to "
          + "--headers-from")
    }
  }

  private static func remedy(_ cellsPath: String, _ path: String) -> String {
    let names = [cellsPath, path].map { VariantName(VariantDirectory($0).name).map { shortText($0.width) } ?? "WIDTH" }
    return "--width \(names.joined(separator: ","))"
  }

  /// Returns a row if it is a header. A row may be bad at one of the two widths.
  ///
  /// - Throws: `TableError` if the tables are damaged, or have another row there than `cells`.
  func header(_ row: Int, cells: Heights) throws(TableError) -> ArrangementElement? {
    let isHeader = isHeaderClass[try heights.cellIndex(of: row)]
    let isHeaderOfCells = isHeaderClassOfCells[try cells.cellIndex(of: row)]
    guard isHeader || isHeaderOfCells else { return nil }
    let (id, other) = (try cells.idBytes(of: row), try heights.idBytes(of: row))
    guard id.elementsEqual(other) else {
      throw TableError(
        path,
        "its row \(row) is \"\(String(decoding: other, as: UTF8.self))\", but that of \(cellsPath) is "
          + "\"\(String(decoding: id, as: UTF8.self))\"; lay both widths out in one run: "
          + Self.remedy(cellsPath, path))
    }
    return ArrangementElement(width: heights.width(of: row), height: heights.height(of: row), isHeader: true)
  }
}
