import Buffers
import CHashing

/// A SHA-256 hash. Programs and inputs are identified by theirs.
public final class SHA256 {
  private let context: OpaquePointer?

  /// Without the first option, OpenSSL frees its memory when the process exits, while other threads may still compute hashes. Without the
  /// second, each process first parses the configuration of OpenSSL, which concerns no hashes.
  private static let isPrepared =
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  public init() {
    _ = Self.isPrepared
    context = EVP_MD_CTX_new()
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  /// Returns the 32 bytes of the hash. Nothing can be added afterwards.
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

  /// Returns the hash of parts, one after the other.
  public static func hash(_ parts: [OwnedBytes]) -> [UInt8] {
    let hash = SHA256()
    for part in parts { part.withBytes { hash.update($0) } }
    return hash.finish()
  }
}

/// Returns bytes as hexadecimal digits.
public func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
