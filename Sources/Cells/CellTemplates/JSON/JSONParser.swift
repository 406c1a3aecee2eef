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
    if code != 0 && repair(bytes) {
      code = galley_json_parse(parser, repaired.base, repaired.count - Self.padding, &tape, &strings)
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

  /// Copies a document to `repaired`, followed by the padding, without what is JSON but no value of the parser: an escape of an
  /// unpaired surrogate becomes that of U+FFFD, because no text can contain it, and a number that 64 bits cannot hold becomes a
  /// string with its digits. Returns whether there were any.
  private func repair(_ bytes: ByteString) -> Bool {
    repaired.removeAll()
    var (isRepaired, isInString) = (false, false)
    var index = 0
    while index < bytes.count {
      var length = 1
      if !isInString {
        length = max(bytes.bytes[index...].prefix(while: Self.isOfNumber).count, 1)
        let token = bytes.slice(index, index + length)
        let isTooLarge = length > 1 && Self.isTooLarge(token.string)
        if isTooLarge { repaired.append(UInt8(ascii: "\"")) }
        repaired.append(contentsOf: token.bytes)
        if isTooLarge { repaired.append(UInt8(ascii: "\"")) }
        isRepaired = isRepaired || isTooLarge
        isInString = bytes[index] == UInt8(ascii: "\"")
      } else if bytes[index] == UInt8(ascii: "\\") {
        let unit = escapedUnit(bytes, index) ?? 0
        let isPair = (0xd800..<0xdc00).contains(unit) && (0xdc00..<0xe000).contains(escapedUnit(bytes, index + 6) ?? 0)
        let isUnpaired = !isPair && (0xd800..<0xe000).contains(unit)
        length = min(isPair ? 12 : isUnpaired ? 6 : 2, bytes.count - index)
        if isUnpaired {
          for byte in #"\ufffd"#.utf8 { repaired.append(byte) }
        } else {
          repaired.append(contentsOf: bytes.slice(index, index + length).bytes)
        }
        isRepaired = isRepaired || isUnpaired
      } else {
        isInString = bytes[index] != UInt8(ascii: "\"")
        repaired.append(bytes[index])
      }
      index += length
    }
    for _ in 0..<Self.padding { repaired.append(0) }
    return isRepaired
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Returns whether a text is a number of JSON that neither an integer nor a floating point number of 64 bits can hold.
  private static func isTooLarge(_ text: String) -> Bool {
    guard let value = Double(text), value.magnitude > 9e18,
      let number = text.wholeMatch(of: #/-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#)
    else { return false }
    return number.1 == nil && number.2 == nil ? Int64(text) == nil && UInt64(text) == nil : value.isInfinite
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
