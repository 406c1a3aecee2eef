import Buffers
import CSimdJSON

/// A JSON parser (simdjson), which owns the document that it parsed last.
public final class JSONParser {
  /// The largest number of arrays and objects inside each other.
  public static let maxDepth = 1024
  /// The number of bytes behind a document that must be readable.
  public static let padding = Int(galley_json_padding)

  private let parser: OpaquePointer
  private var repaired = FlatBuffer<UInt8>()

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
    if galley_json_is_string_error(code) != 0 && replaceLoneSurrogates(bytes) {
      code = galley_json_parse(parser, repaired.base, bytes.count, &tape, &strings)
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

  /// Copies a document to `repaired` and replaces escapes of unpaired surrogates by U+FFFD, because no text can contain
  /// them. Returns whether there were any.
  private func replaceLoneSurrogates(_ bytes: ByteString) -> Bool {
    repaired.removeAll()
    repaired.append(contentsOf: bytes.bytes)
    for _ in 0..<Self.padding { repaired.append(0) }
    var replaced = false
    var index = 0
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let unit = escapedUnit(bytes, index) else {
        index += 2
        continue
      }
      if (0xd800..<0xdc00).contains(unit), let low = escapedUnit(bytes, index + 6), (0xdc00..<0xe000).contains(low) {
        index += 12
      } else {
        if (0xd800..<0xe000).contains(unit) {
          for (offset, digit) in "fffd".utf8.enumerated() { repaired[index + 2 + offset] = digit }
          replaced = true
        }
        index += 6
      }
    }
    return replaced
  }

  /// Returns the number of the `\uXXXX` escape at `index`, or nil if there is none.
  private func escapedUnit(_ bytes: ByteString, _ index: Int) -> UInt32? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt32(bytes.slice(index + 2, index + 6).string, radix: 16)
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
