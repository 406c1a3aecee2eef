import CHashing

/// An XXH3 checksum of 64 bits. It detects damage, not forgery.
public final class Checksum {
  private let state: OpaquePointer?

  public init() {
    state = XXH3_createState()
    XXH3_64bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  public func update(_ bytes: UnsafeRawBufferPointer) { XXH3_64bits_update(state, bytes.baseAddress, bytes.count) }

  public var value: UInt64 { XXH3_64bits_digest(state) }

  public static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
  }

  /// Returns a checksum as 16 hexadecimal digits.
  public static func digits(of checksum: UInt64) -> String {
    withUnsafeBytes(of: checksum.bigEndian) { hexadecimal(Array($0)) }
  }

  /// Returns the checksum of a text in UTF-8, or the seed itself for an empty text.
  public static func of(_ text: String, seed: UInt64) -> UInt64 {
    text.isEmpty ? seed : Array(text.utf8).withUnsafeBytes { of($0, seed: seed) }
  }
}
