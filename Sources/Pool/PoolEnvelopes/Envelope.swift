import Hashing
import PoolProtocol
import SwiftProtobuf

/// Encodes envelopes, and decodes envelopes from other processes within limits.
public enum Envelope {
  private static let options: BinaryDecodingOptions = {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 8
    return options
  }()

  /// Returns nil if the bytes are not an envelope of this type.
  static func decode<Message: SwiftProtobuf.Message>(_: Message.Type, _ bytes: UnsafeRawBufferPointer) -> Message? {
    guard bytes.count <= ProtocolLimits.envelopeBytes else { return nil }
    return try? Message(serializedBytes: [UInt8](bytes), options: options)
  }

  // MARK: Checksums

  /// The beginning of the field `checksum` of an envelope, which has the number 100 and eight bytes.
  private static let tag: [UInt8] = [0xa1, 0x06]
  private static let sealSize = tag.count + MemoryLayout<UInt64>.size

  /// Appends the checksum of an envelope, with which its receiver detects changed bits.
  static func sealed(_ envelope: [UInt8]) -> [UInt8] {
    let checksum = envelope.withUnsafeBytes { Checksum.of($0) }
    return envelope + tag + withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
  }

  /// Decodes an envelope. Returns nil when it differs from its checksum. One without a checksum is accepted.
  static func unseal<Message: SwiftProtobuf.Message>(_: Message.Type, _ bytes: UnsafeRawBufferPointer) -> Message? {
    let end = bytes.count - sealSize
    if end >= 0, bytes[end..<end + tag.count].elementsEqual(tag) {
      let checksum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end + tag.count, as: UInt64.self))
      guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == checksum else { return nil }
    }
    return decode(Message.self, bytes)
  }

  static func encode(_ message: some SwiftProtobuf.Message) -> [UInt8] {
    // Encoding fails only for missing required fields, which proto3 does not have.
    (try? message.serializedBytes()) ?? []
  }
}
