import Buffers
import CFontFiles
import TextMeasuring

/// A font file for a page, of one face.
public enum WebFontFile {
  /// What was made of a face.
  public struct Result {
    /// The bytes of the WOFF2 file.
    public var bytes: [UInt8]
    /// Whether it has all characters of the face, though some of them were to be left out.
    public var isWhole: Bool
  }

  /// Returns the WOFF2 file of a face, or nil if it cannot be written.
  ///
  /// - Parameter characters: The characters that it has, with all features of their layout, or nil for all.
  public static func woff2(of face: FontBook.Source, characters: Set<UInt32>?) -> Result? {
    if let characters, canSubset(face) {
      return subset(of: face, characters).flatMap { encode($0, $0.count) }.map { Result(bytes: $0, isWhole: false) }
    }
    let single = single(face.file, face: Int(face.index))
    let encoded = single.map { encode($0, $0.count) } ?? encode(face.file.start, face.file.count)
    return encoded.map { Result(bytes: $0, isWhole: characters != nil) }
  }

  /// Returns a file that has only one face of a collection, as browsers need it; nil for a file that is no collection, lacks
  /// the face or is damaged (OpenType specification, "Font Collections").
  public static func single(_ file: ByteString, face index: Int) -> [UInt8]? {
    guard let face = try? OpenTypeFace(file, index: index), face.isInCollection else { return nil }
    var single = Array(face.directory.bytes)
    for (number, table) in face.tables.enumerated() {
      // A table begins at a multiple of four bytes.
      single += [UInt8](repeating: 0, count: (4 - single.count % 4) % 4)
      let offset = 12 + 16 * number + 8
      let start = UInt32(truncatingIfNeeded: single.count)
      withUnsafeBytes(of: start.bigEndian) { single.replaceSubrange(offset..<offset + 4, with: $0) }
      single += file.slice(table.offset, table.offset + table.length).bytes
    }
    return single
  }

  /// The tables that HarfBuzz leaves out of a subset: kerning and substitutions of other formats than OpenType Layout, and
  /// pictures.
  private static let tablesThatSubsetsLack = ["kerx", "morx", "mort", "SVG "]

  /// Returns whether a subset of a face shows its characters as the face does.
  private static func canSubset(_ face: FontBook.Source) -> Bool {
    guard let font = try? OpenTypeFace(face.file, index: Int(face.index)) else { return false }
    // HarfBuzz looks at the older table of kerning only without that feature.
    let hasOldKerning = font.table("kern") != nil && !font.features.contains("kern")
    return !hasOldKerning && !tablesThatSubsetsLack.contains { font.table($0) != nil }
  }

  private static func subset(of face: FontBook.Source, _ characters: Set<UInt32>) -> [UInt8]? {
    let characters = characters.sorted()
    return copied {
      galley_font_subset(face.file.start, face.file.count, face.index, characters, characters.count, &$0)
    }
  }

  private static func encode(_ font: UnsafePointer<UInt8>, _ length: Int) -> [UInt8]? {
    copied { galley_woff2_encode(font, length, &$0) }
  }

  /// Returns the bytes in memory that a function of C has returned, and releases it.
  static func copied(_ make: (inout Int) -> UnsafeMutablePointer<UInt8>?) -> [UInt8]? {
    var count = 0
    guard let bytes = make(&count) else { return nil }
    defer { galley_woff2_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
