import CZeroMQ

/// A public or secret key of CURVE: 32 bytes, written as 40 characters of Z85 (RFC 32 of ZeroMQ).
public struct CurveKey: Hashable, Sendable {
  /// The number of bytes in a key.
  public static let size = 32
  /// The number of characters in the text of a key.
  public static let length = 40

  /// The Z85 text of the key.
  public let text: String

  /// Creates a key from its text. Returns nil when the text is not the Z85 of 32 bytes.
  public init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    guard text.utf8.count == Self.length, zmq_z85_decode(&bytes, text) != nil else { return nil }
    self.text = text
  }

  /// Creates a key from its bytes. Returns nil when there are not 32 of them.
  public init?(bytes: [UInt8]) {
    var text = [CChar](repeating: 0, count: Self.length + 1)
    guard bytes.count == Self.size, zmq_z85_encode(&text, bytes, bytes.count) != nil else { return nil }
    self.init(terminated: text)
  }

  fileprivate init(terminated text: [CChar]) {
    self.text = String(decoding: text.prefix(Self.length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A secret key and the public key that follows from it.
public struct CurveKeyPair: Sendable {
  public let secret: CurveKey
  /// The public key that follows from the secret key.
  public let publicKey: CurveKey

  public static func random() throws(ZeroMQError) -> CurveKeyPair {
    var publicKey = [CChar](repeating: 0, count: CurveKey.length + 1)
    var secret = publicKey
    guard zmq_curve_keypair(&publicKey, &secret) == 0 else { throw ZeroMQError("zmq_curve_keypair") }
    return try CurveKeyPair(secret: CurveKey(terminated: secret))
  }

  /// Creates the pair of a secret key and the public key that follows from it.
  public init(secret: CurveKey) throws(ZeroMQError) {
    var publicKey = [CChar](repeating: 0, count: CurveKey.length + 1)
    guard zmq_curve_public(&publicKey, secret.text) == 0 else { throw ZeroMQError("zmq_curve_public") }
    (self.secret, self.publicKey) = (secret, CurveKey(terminated: publicKey))
  }
}
