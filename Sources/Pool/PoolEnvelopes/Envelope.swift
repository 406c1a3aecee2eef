import PoolProtocol
import SwiftProtobuf

/// Encodes and decodes envelopes within limits, because they come from outside.
public enum Envelope {
  private static let options: BinaryDecodingOptions = {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 8
    return options
  }()

  /// Returns nil when the bytes are not such an envelope.
  static func decode<Message: SwiftProtobuf.Message>(_: Message.Type, _ bytes: UnsafeRawBufferPointer) -> Message? {
    guard bytes.count <= ProtocolLimits.envelopeBytes else { return nil }
    return try? Message(serializedBytes: [UInt8](bytes), options: options)
  }

  static func encode(_ message: some SwiftProtobuf.Message) -> [UInt8] {
    // Our own messages lack nothing that encoding needs: proto3 has no required fields.
    (try? message.serializedBytes()) ?? []
  }
}
