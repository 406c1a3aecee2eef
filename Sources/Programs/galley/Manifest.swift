import BatchLayout
import Foundation
import LayoutTables

/// manifest.json: what was laid out.
struct Manifest: Codable {
  struct Input: Codable {
    let name: String
    let bytes: Int
    let hash: String
  }

  struct Cells: Codable {
    let hash: String
  }

  struct Variant: Codable {
    /// The directory of its tables.
    let name: String
    let width: Double
    let textScale: Double
    let scale: Double
    let frames: UInt64
    let errors: UInt64
    /// Of the whole list, in points.
    let height: Double
    /// Of the tables.
    let bytes: Int64

    init(_ variant: BatchLayout.Variant, _ summary: BatchTables.Summary) {
      name = variant.name
      width = variant.width
      textScale = variant.textScale
      scale = variant.scale
      frames = summary.frames
      errors = summary.badRows
      height = summary.height
      bytes = summary.size
    }
  }

  struct Timings: Codable {
    let seconds: Double
    let rowsPerSecond: Double
  }

  let format: Int
  let version: String
  let input: Input
  let cells: Cells
  let rows: UInt64
  let errors: UInt64
  let variants: [Variant]
  let timings: Timings
  /// Left out where nothing is to be said.
  let warnings: Warnings?

  struct Warnings: Codable {
    /// The number of those of the cells file.
    let cells: Int?
    let missingGlyphs: GlyphWarning?
  }

  init(
    version: String, input: Input, cells: Cells, variants: [Variant], seconds: Double, rows: UInt64,
    cellWarnings: Int, missingGlyphs: GlyphWarning?
  ) {
    warnings =
      cellWarnings == 0 && missingGlyphs == nil
      ? nil : Warnings(cells: cellWarnings == 0 ? nil : cellWarnings, missingGlyphs: missingGlyphs)
    format = 1
    self.version = version
    self.input = input
    self.cells = cells
    self.rows = rows
    self.variants = variants
    errors = variants.map(\.errors).max() ?? 0
    timings = Timings(seconds: seconds, rowsPerSecond: seconds > 0 ? (Double(rows) / seconds).rounded() : 0)
  }

  /// Variants that are named one by one.
  private static let namedVariants = 16

  /// The names of variants for people: `w320 w390`, `w320 w321 … w575 (256 variants)`.
  static func list(_ names: [String]) -> String {
    guard names.count > namedVariants, let last = names.last else { return names.joined(separator: " ") }
    return "\(names.prefix(2).joined(separator: " ")) … \(last) (\(names.count) variants)"
  }

  /// What an earlier run's manifest says, whatever its version: enough to know it for one.
  private struct Listing: Decodable {
    struct Variant: Decodable {
      let name: String
      let width: Double
    }

    let format: Int
    let version: String
    let cells: Cells
    let variants: [Variant]
  }

  /// The names of the variants that a manifest lists; nil for anything else.
  static func variantNames(_ bytes: [UInt8]) -> [String]? {
    try? JSONDecoder().decode(Listing.self, from: Data(bytes)).variants.map(\.name)
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// One line for people.
  var summary: String {
    let frames = variants.reduce(0) { $0 + $1.frames }
    let time = String(format: "%.2f", timings.seconds)
    return "\(rows) rows, \(frames) frames, \(Self.list(variants.map(\.name))) in \(time) s "
      + "(\(Int(timings.rowsPerSecond)) rows/s)"
  }
}
