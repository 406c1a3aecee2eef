import Hashing
import LayoutEngine
import LayoutTables
import ListTables

/// The contents of manifest.json, which describes the input and the tables of a run.
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
    /// The name of the directory of the tables.
    let name: String
    let width: Double
    let textScale: Double
    let scale: Double
    /// The pixels per point of images; nil if they are those of the scale.
    let imageScale: Double?
    /// The name of the platform; nil for texture.
    let platform: String?
    /// The name of the text size; nil for the plain sizes of fonts.
    let textSize: String?
    /// The direction of the list; nil for ltr.
    let layoutDirection: String?
    /// The share of the rows with margins whose lines may change within half a point; nil if no row has margins.
    let uncertain: Double?
    let frames: UInt64
    let errors: UInt64
    /// The height of the whole list in points.
    let height: Double
    /// The size of the tables in bytes.
    let bytes: Int64
    /// The checksums of the tables by their names, such as `heights`.
    let checksums: [String: String]?

    init(_ variant: LayoutEngine.Variant, imageScale: Double?, _ summary: BatchTables.Summary) {
      name = variant.name
      width = variant.width
      textScale = variant.textScale
      scale = variant.scale
      self.imageScale = imageScale
      platform = variant.platform == .texture ? nil : variant.platform.name
      textSize = variant.textSize?.name
      layoutDirection = variant.layoutDirection == .ltr ? nil : variant.layoutDirection.name
      uncertain = summary.uncertainShare
      frames = summary.frames
      errors = summary.badRows
      height = summary.height
      bytes = summary.size
      checksums = summary.checksums.mapValues(Checksums.text)
    }
  }

  /// The texts of checksums, by which a later run recognizes that files are whole.
  enum Checksums {
    private static let prefix = "xxh3:"

    static func text(_ checksum: UInt64) -> String { prefix + Checksum.digits(of: checksum) }

    static func number(_ text: String) -> UInt64? {
      text.hasPrefix(prefix) ? UInt64(text.dropFirst(prefix.count), radix: 16) : nil
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
  /// The number of rows that were taken from an earlier run; nil without one.
  let takenRows: UInt64?
  let errors: UInt64
  let variants: [Variant]
  /// The checksum of hashes.arrow.
  let hashes: String?
  let timings: Timings
  /// The warnings; nil if there are none.
  let warnings: Warnings?

  struct Warnings: Codable {
    /// The number of warnings of the cells file.
    let cells: Int?
    let missingGlyphs: GlyphWarning?
  }

  init(
    version: String, input: Input, cells: Cells, variants: [Variant], hashes: UInt64, seconds: Double, rows: UInt64,
    takenRows: UInt64?, cellWarnings: Int, missingGlyphs: GlyphWarning?
  ) {
    self.hashes = Checksums.text(hashes)
    warnings =
      cellWarnings == 0 && missingGlyphs == nil
      ? nil : Warnings(cells: cellWarnings == 0 ? nil : cellWarnings, missingGlyphs: missingGlyphs)
    format = VariantDirectory.format
    self.version = version
    self.input = input
    self.cells = cells
    self.rows = rows
    self.takenRows = takenRows
    self.variants = variants
    errors = variants.map(\.errors).max() ?? 0
    timings = Timings(seconds: seconds, rowsPerSecond: RunSummary.rate(rows, seconds))
  }

  /// The greatest number of variants that `list` names individually.
  private static let maxNamedVariants = 16

  /// Returns the names of variants for messages, such as `w320 w390`, `w320 w321 … w575 (256 variants)`.
  static func list(_ names: [String]) -> String {
    guard names.count > maxNamedVariants, let last = names.last else { return names.joined(separator: " ") }
    return "\(names.prefix(2).joined(separator: " ")) … \(last) (\(names.count) variants)"
  }

  /// Returns the manifest as JSON.
  func encoded() throws -> [UInt8] {
    Array("\(try Results.json(self, [.prettyPrinted, .withoutEscapingSlashes]))\n".utf8)
  }

  /// Returns the line that a run prints.
  func summary(of work: RunSummary.Work) -> String {
    RunSummary(
      rows: rows, takenRows: takenRows, frames: variants.reduce(0) { $0 + $1.frames }, variants: variants.map(\.name),
      seconds: timings.seconds, uncertain: variants.compactMap(\.uncertain)
    ).text(of: work)
  }
}
