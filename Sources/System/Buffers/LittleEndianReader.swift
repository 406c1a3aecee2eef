/// A reader of numbers and byte ranges that never reads past the end.
package struct LittleEndianReader {
  private let bytes: ByteString
  private var offset = 0

  package init(_ bytes: ByteString) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  /// The bytes that were not read yet.
  package var rest: ByteString { bytes.slice(offset, bytes.count) }

  package mutating func take(_ count: Int) -> ByteString? {
    guard count >= 0, count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return bytes.slice(offset, offset + count)
  }

  package mutating func uint32() -> UInt32? { number(UInt32.self) }
  package mutating func uint64() -> UInt64? { number(UInt64.self) }

  private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard let raw = take(MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: UnsafeRawPointer(raw.start).loadUnaligned(as: Number.self))
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest one first.
  package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { self += $0 }
  }
}
