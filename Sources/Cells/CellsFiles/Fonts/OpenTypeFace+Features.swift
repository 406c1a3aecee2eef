import Buffers

/// The features of a font: the feature lists of its tables GSUB and GPOS (the chapter "Common table formats" of the OpenType
/// specification).
extension OpenTypeFace {
  /// The names of the features that substitute or position glyphs.
  var features: Set<String> {
    Set(["GSUB", "GPOS"].flatMap { table($0).map(featureNames) ?? [] })
  }

  private func featureNames(_ table: Table) -> [String] {
    let bytes = file.slice(table.offset, table.offset + table.length)
    guard bytes.count >= 10 else { return [] }
    let list = Int(bytes.uint16(at: 6))
    guard list + 2 <= bytes.count else { return [] }
    // A record is a tag and an offset of 16 bits.
    let records = (0..<Int(bytes.uint16(at: list))).map { list + 2 + 6 * $0 }
    return records.prefix { $0 + 6 <= bytes.count }.map { bytes.slice($0, $0 + 4).string }
  }
}
