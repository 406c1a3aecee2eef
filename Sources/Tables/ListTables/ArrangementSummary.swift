import Buffers
import TableFormats

/// The properties of a whole arrangement, which are metadata of the schema of arrangement.arrow.
public struct ArrangementSummary: Equatable, Sendable {
  /// The number of rows.
  public let rowCount: Int
  /// The size of the content in points.
  public let contentWidth, contentHeight: Double
  /// The height of the highest cell or header. A row that overlaps an offset begins at most so far above it.
  let maxHeight: Float
  /// The sum of the heights in heights.arrow, by which an arrangement of other tables is recognized.
  let tableHeight: Double
}

extension ArrangementSummary {
  private enum Key {
    static let contentWidth = "content_width"
    static let contentHeight = "content_height"
    static let maxHeight = "max_height"
    static let tableHeight = "table_height"
    static let headers = "headers"
    static let headersFrom = "headers_from"
    static let footers = "footers"
    static let pinsHeaders = "pin_headers"
  }

  /// Returns nil if an entry is missing or is not a length.
  init?(rowCount: Int, _ metadata: [ArrowMetadataEntry]) {
    func length(_ key: String) -> Double? {
      metadata.value(of: key).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    guard let contentWidth = length(Key.contentWidth), let contentHeight = length(Key.contentHeight),
      let maxHeight = length(Key.maxHeight), let tableHeight = length(Key.tableHeight)
    else { return nil }
    self.init(
      rowCount: rowCount, contentWidth: contentWidth, contentHeight: contentHeight, maxHeight: Float(maxHeight),
      tableHeight: tableHeight)
  }

  /// Returns the cell classes of the headers that are pinned and of the footers that end their sections, by the metadata of
  /// a table. Both are empty if no headers are pinned.
  static func pinnedClasses(_ metadata: [ArrowMetadataEntry]) -> (headers: [Substring], footers: [Substring]) {
    guard metadata.value(of: Key.pinsHeaders) == "true" else { return ([], []) }
    return (classes(Key.headers, metadata), classes(Key.footers, metadata))
  }

  /// Returns the cell classes of the headers and footers, and the name of the variant that has them; nil if that is not beside
  /// the cells.
  static func headers(_ metadata: [ArrowMetadataEntry]) -> (classes: [Substring], variant: String?) {
    (
      classes(Key.headers, metadata) + classes(Key.footers, metadata),
      metadata.value(of: Key.headersFrom)
    )
  }

  private static func classes(_ key: String, _ metadata: [ArrowMetadataEntry]) -> [Substring] {
    metadata.value(of: key)?.split(separator: ",") ?? []
  }

  /// Returns the metadata of the table: this summary, and the rules and tables that made the arrangement.
  package func metadata(_ source: ArrangementSource) -> [ArrowMetadataEntry] {
    let rules = source.rules
    var entries = [
      ArrowMetadataEntry(Key.contentWidth, shortText(contentWidth)),
      ArrowMetadataEntry(Key.contentHeight, shortText(contentHeight)),
      ArrowMetadataEntry(Key.maxHeight, shortText(Double(maxHeight))),
      ArrowMetadataEntry(Key.tableHeight, shortText(tableHeight)),
      ArrowMetadataEntry("flow", rules.flow.rawValue), ArrowMetadataEntry("columns", "\(rules.columns)"),
      ArrowMetadataEntry("column_width", shortText(source.columnWidth)),
      ArrowMetadataEntry("spacing", shortText(rules.spacing)),
      ArrowMetadataEntry("line_spacing", shortText(rules.lineSpacing)),
      ArrowMetadataEntry("inset", rules.insets.text),
    ]
    if rules.contentMargins != ListInsets() {
      entries.append(ArrowMetadataEntry("content_margins", rules.contentMargins.text))
    }
    if let headers = source.headers {
      if !source.headerClasses.isEmpty {
        entries.append(ArrowMetadataEntry(Key.headers, source.headerClasses.joined(separator: ",")))
      }
      if !source.footerClasses.isEmpty {
        entries.append(ArrowMetadataEntry(Key.footers, source.footerClasses.joined(separator: ",")))
      }
      if source.pinsHeaders { entries.append(ArrowMetadataEntry(Key.pinsHeaders, "true")) }
      // Another directory can have a variant of this name, whose headers are not those of the arrangement.
      if VariantDirectory(headers.path).isBeside(source.path) {
        entries.append(ArrowMetadataEntry(Key.headersFrom, VariantDirectory(headers.path).name))
      }
    }
    return entries
  }
}

extension ListInsets {
  /// The text in the metadata: top, left, bottom and right.
  fileprivate var text: String { [top, left, bottom, right].map(shortText).joined(separator: ",") }
}
