import Buffers
import CSimdJSON

/// A JSON parser (simdjson), which owns the document that it parsed last.
public final class JSONParser {
  /// The largest number of arrays and objects inside each other.
  public static let maxDepth = 1024
  /// The number of bytes behind a document that must be readable.
  public static let padding = Int(galley_json_padding)

  private let parser: OpaquePointer
  private var repaired = RepairedJSON()

  public init() {
    guard let parser = galley_json_create(Self.maxDepth) else {
      // No caller can cause this: the process has no memory left at its start.
      preconditionFailure("out of memory")
    }
    self.parser = parser
  }

  deinit { galley_json_destroy(parser) }

  /// Parses a document and returns its root, which is valid until the next parse. `padding` bytes behind `bytes` must
  /// be readable.
  public func parse(_ bytes: ByteString) throws(CellError) -> JSONValue {
    var tape: UnsafePointer<UInt64>?
    var strings: UnsafePointer<UInt8>?
    var code = galley_json_parse(parser, bytes.start, bytes.count, &tape, &strings)
    if code != 0 && repaired.repair(bytes) {
      code = galley_json_parse(parser, repaired.bytes.start, repaired.bytes.count, &tape, &strings)
    }
    guard code == 0, let tape, let strings else {
      throw CellError("is not JSON: \(Self.meaning(code))")
    }
    return JSONValue(tape: tape, strings: strings, index: 1)
  }

  /// Parses a copy of a document, so that the bytes behind it need not be readable.
  public func parse(copying bytes: some Collection<UInt8>) throws(CellError) -> JSONValue {
    var padded = FlatBuffer<UInt8>(capacity: bytes.count + Self.padding)
    for byte in bytes { padded.append(byte) }
    for _ in 0..<Self.padding { padded.append(0) }
    return try parse(ByteString(start: padded.base, count: bytes.count))
  }

  private static func meaning(_ code: Int32) -> String {
    let text = String(cString: galley_json_error(code))
    let sentence = text.prefix { $0 != "." && $0 != "!" }
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}

extension [UInt8] {
  /// Calls a function with the bytes, followed by the padding that the parser needs.
  package func withPadding<Output>(_ body: (ByteString) throws -> Output) rethrows -> Output {
    let padded = self + [UInt8](repeating: 0, count: JSONParser.padding)
    return try padded.withUnsafeBytes { bytes in
      try body(ByteString(UnsafeRawBufferPointer(rebasing: bytes[..<count])))
    }
  }
}
