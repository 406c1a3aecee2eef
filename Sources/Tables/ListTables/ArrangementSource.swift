import Buffers

/// The rows of a list that is arranged in columns: its cells, which are laid out at the width of a column, and its
/// headers and footers, which are laid out at the width of the list.
public struct ArrangementSource: Sendable {
  public let rules: ArrangementRules
  /// The width of a column, in points.
  public let columnWidth: Double
  /// The width of the list between its content margins, in points.
  let sectionWidth: Double
  /// The names of the cell classes of headers and of footers, which have the full width of the list.
  public let headerClasses, footerClasses: [String]
  /// Whether the header of a section stays at the top of the viewport while the section is visible.
  public let pinsHeaders: Bool
  /// The classes of headers and footers that no row of the tables has.
  public let missingHeaderClasses: [String]
  /// The directory of the variant whose cells are arranged.
  let path: String
  let heights: Heights
  /// The number of device pixels in a point; nil if the tables state no variant.
  private let scale: Double?
  let headers: ArrangementHeaders?

  /// - Parameters:
  ///   - path: The directory of the variant whose cells are arranged, such as `tables/w171`.
  ///   - headerClasses: The names of the cell classes of headers, which have the full width of the list.
  ///   - footerClasses: The names of the cell classes of footers, which do so too.
  ///   - pinsHeaders: Whether the header of a section stays at the top of the viewport while the section is visible.
  ///   - headersPath: The directory of the variant that has the headers and footers. With nil, it is the variant of the
  ///     list's width beside `path`.
  /// - Throws: `TableError` for tables that cannot be read, that are of different rows, or whose width does not fit.
  public init(
    _ path: String, _ rules: ArrangementRules, headerClasses: [String] = [], footerClasses: [String] = [],
    pinsHeaders: Bool = false, headersFrom headersPath: String? = nil
  ) throws(TableError) {
    let directory = VariantDirectory(path)
    try directory.check()
    let heights = try Heights(path + "/heights.arrow")
    let variantWidth = directory.width(heights)
    // Cells that wrap are laid out at the width of the list, as its headers are.
    let columnWidth = rules.flow.isWrapped ? rules.columnWidth(sectionWidth: variantWidth) : variantWidth
    guard columnWidth > 0 || !rules.flow.isWrapped else {
      throw TableError(
        path, "is \(shortText(variantWidth)) points wide, and insets of \(shortText(rules.gaps)) points leave no room")
    }
    let width = rules.sectionWidth(columnWidth: columnWidth)
    self.path = path
    self.rules = rules
    self.heights = heights
    let name = directory.variantName(heights)
    scale = name?.scale
    self.columnWidth = columnWidth
    self.headerClasses = headerClasses
    self.footerClasses = footerClasses
    self.pinsHeaders = pinsHeaders
    let classes = headerClasses + footerClasses
    guard !classes.isEmpty else {
      headers = nil
      sectionWidth = width
      missingHeaderClasses = []
      return
    }
    let path =
      if let headersPath { headersPath } else {
        try Self.variant(ofWidth: width, beside: directory, name, rules)
      }
    let headers = try ArrangementHeaders(path, classes: classes, cells: heights, path: directory.path)
    self.headers = headers
    sectionWidth = headers.width
    missingHeaderClasses = classes.filter { !heights.cells.contains($0) && !headers.heights.cells.contains($0) }
    try checkWidth(width)
  }

  /// The width of the list, in points.
  public var listWidth: Double { rules.listWidth(sectionWidth: sectionWidth) }

  /// The names of the cell classes of all rows.
  public var cellClasses: [String] { heights.cells }

  /// Throws a `TableError` if the tables were replaced since they were read.
  public func check() throws(TableError) {
    try heights.file.checkPath()
    try headers?.heights.file.checkPath()
  }

  /// Returns the directory of the variant of the list's width, with the same platform, text scale and scale.
  private static func variant(
    ofWidth width: Double, beside directory: VariantDirectory, _ name: VariantName?, _ rules: ArrangementRules
  ) throws(TableError) -> String {
    guard let name else {
      throw TableError(
        directory.path, "is not named as a variant; name the tables that have the headers with --headers-from")
    }
    let parent = directory.parent
    // The width of a list with columns of 108.67 points is 390.01.
    let near = VariantDirectory.variants(in: parent).compactMap { candidate in
      VariantName(candidate).flatMap { other in
        other.differsOnlyInWidth(from: name) ? (name: candidate, distance: (other.width - width).magnitude) : nil
      }
    }
    let found = near.min { $0.distance < $1.distance }
    guard let found, found.distance <= ArrangementRules.widthTolerance else {
      throw TableError(
        directory.path,
        "\(columns(rules, of: name.width)) make a list of \(shortText(width)) points, but \(parent) has no "
          + "\(name.with(width: width)) for its headers: lay the rows out with --width "
          + "\(shortText(name.width)),\(shortText(width)), or name other tables with --headers-from")
    }
    return "\(parent)/\(found.name)"
  }

  /// Checks that the columns fill the list.
  ///
  /// - Parameter width: The width of a list with the columns.
  private func checkWidth(_ width: Double) throws(TableError) {
    guard (sectionWidth - width).magnitude > ArrangementRules.widthTolerance else { return }
    let fitting = rules.columnWidth(sectionWidth: sectionWidth)
    throw TableError(
      path,
      "\(Self.columns(rules, of: columnWidth)) make a list of \(shortText(width)) points, but that of "
        + "\(headers?.path ?? path) has \(shortText(sectionWidth)): "
        + (fitting > 0
          ? "lay the rows out with --width \(shortText((fitting * 1000).rounded() / 1000))"
          : "use fewer columns, or smaller insets and spacings"))
  }

  /// Returns the phrase of errors that states the columns of a list.
  private static func columns(_ rules: ArrangementRules, of width: Double) -> String {
    "\(rules.columns == 1 ? "one column" : "\(rules.columns) columns") of \(shortText(width)) points with insets and "
      + "spacings of \(shortText(rules.gaps)) points"
  }

  /// Returns the size of a row, and whether it is a header.
  func element(_ row: Int) throws(TableError) -> ArrangementElement {
    if let headers, let header = try headers.header(row, cells: heights) {
      try checkWidth(of: row, header.width, in: sectionWidth, "the list", headers.path)
      return header
    }
    let width = heights.width(of: row)
    let height = heights.height(of: row)
    // A row without height takes no place.
    if height > 0 {
      try checkWidth(of: row, width, in: columnWidth, rules.flow.isWrapped ? "a line" : "a column", path)
    }
    return ArrangementElement(width: width, height: height, isHeader: false)
  }

  private func checkWidth(
    of row: Int, _ width: Float, in available: Double, _ name: String, _ path: String
  ) throws(TableError) {
    // Platforms round the sizes of cells up to whole pixels.
    let wholePixels = scale.map { (available * $0).rounded(.up) / $0 } ?? available
    guard !(Double(width) <= wholePixels + ArrangementRules.widthTolerance) else { return }
    let remedy =
      rules.flow.isWrapped && available == columnWidth
      ? "give the row a smaller constrainedSize, or use smaller insets"
      : "lay the rows out with --width \(shortText(available)), or correct the row's constrainedSize"
    throw TableError(
      path,
      "its row \(row) (\"\(try heights.id(of: row))\") is \(shortText(Double(width))) points wide, but \(name) has "
        + "\(shortText(available)): \(remedy)")
  }
}
