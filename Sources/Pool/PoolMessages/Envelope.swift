import SwiftProtobuf

/// Encodes and decodes envelopes within limits: they come from outside.
public enum Envelope {
  /// Bytes of an envelope.
  public static let maxSize = 256 << 10
  /// Parts of a message: an envelope, a program, and lines or the columns of each of 256 variants.
  public static let maxParts = 272

  private static let options: BinaryDecodingOptions = {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = 8
    return options
  }()

  /// Nil when the bytes are no such envelope.
  public static func decode<Message: SwiftProtobuf.Message>(_: Message.Type, _ bytes: UnsafeRawBufferPointer)
    -> Message?
  {
    guard bytes.count <= maxSize else { return nil }
    return try? Message(serializedBytes: [UInt8](bytes), options: options)
  }

  public static func encode(_ message: some SwiftProtobuf.Message) -> [UInt8] {
    // Our own messages lack nothing that encoding needs: proto3 has no required fields.
    (try? message.serializedBytes()) ?? []
  }
}
