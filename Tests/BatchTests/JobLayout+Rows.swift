import CellTemplates
import GalleyTestSupport
import LayoutEngine

@testable import BatchLayout

extension JobLayout {
  /// Returns a layout of rows that state their layouts. Texts have a line height of 20, and also Hebrew letters have a font.
  static func ofRowLayouts(_ variant: Variant) throws -> JobLayout {
    try JobLayout(
      Programs.compile(
        #"{"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[1],"cells":{}}"#,
        faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoSansHebrew-Regular.ttf")]),
      variants: [variant])
  }

  /// The number of cells whose frames were found in the cache.
  var cacheHits: Int { state.cache.hits }

  /// Lays out rows as the lines of a file.
  func layOut(_ rows: [String]) {
    _ = layout(Programs.keep(Array(rows.joined(separator: "\n").utf8)), firstLine: 1, firstRow: 0)
  }

  /// Returns the errors of the rows that were laid out last; empty ones for rows that are not bad.
  func errors(_ variant: Int = 0) -> [String] {
    withColumns(of: variant) { job in
      var bytes = job.columns.errorBytes.values[...]
      return job.columns.errorLength.values.map { length in
        defer { bytes = bytes.dropFirst(Int(length)) }
        return String(decoding: bytes.prefix(Int(length)), as: UTF8.self)
      }
    }
  }
}
