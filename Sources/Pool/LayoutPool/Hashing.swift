import CCrypto
import CXXHash

/// SHA-256, by which programs and inputs are named.
public final class SHA256 {
  private let context: OpaquePointer?

  public init() {
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  public func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    EVP_DigestFinal_ex(context, &digest, &count)
    return Array(digest.prefix(Int(count)))
  }

  public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}

/// XXH3 with 64 bits: tells damage, not forgery.
final class Checksum {
  private let state: OpaquePointer?

  init() {
    state = XXH3_createState()
    XXH3_64bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  func update(_ bytes: UnsafeRawBufferPointer) { XXH3_64bits_update(state, bytes.baseAddress, bytes.count) }

  var value: UInt64 { XXH3_64bits_digest(state) }

  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    XXH3_64bits_withSeed(bytes.baseAddress, bytes.count, seed)
  }

  /// The seed itself for no text.
  static func of(_ text: String, seed: UInt64) -> UInt64 {
    text.isEmpty ? seed : Array(text.utf8).withUnsafeBytes { of($0, seed: seed) }
  }
}

/// Bytes as text.
public func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
