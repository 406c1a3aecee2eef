import Buffers

/// An error in the bytes of an Arrow file.
package struct ArrowFormatError: Error, Equatable {
  /// What is wrong with the file, as a phrase.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }

  static let damaged = ArrowFormatError("its metadata are damaged")
}

/// A reader of FlatBuffers, as far as Arrow's metadata need them. All offsets come from the file and are checked.
struct MetadataReader {
  let memory: OwnedBytes

  /// Returns the table to which the offset at the beginning of the bytes refers.
  func root() throws(ArrowFormatError) -> MetadataTable { try table(at: 0) }

  func number<Number: FixedWidthInteger>(at position: Int, as: Number.Type) throws(ArrowFormatError) -> Number {
    guard position >= 0, position <= memory.bytes.count - MemoryLayout<Number>.size else { throw .damaged }
    return memory.withBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self)) }
  }

  /// Returns the text of a range within the bytes.
  func text(_ range: Range<Int>) -> String {
    memory.withBytes { String(decoding: $0[range], as: UTF8.self) }
  }

  /// Returns the table to which the offset at a position refers.
  func table(at position: Int) throws(ArrowFormatError) -> MetadataTable {
    try MetadataTable(self, at: try target(ofOffsetAt: position))
  }

  /// Returns the position to which the offset at a position refers.
  func target(ofOffsetAt position: Int) throws(ArrowFormatError) -> Int {
    position + Int(try number(at: position, as: UInt32.self))
  }
}

/// A table of a FlatBuffer.
struct MetadataTable {
  private let reader: MetadataReader
  private let position: Int
  private let vtable: Int
  private let vtableSize: Int

  init(_ reader: MetadataReader, at position: Int) throws(ArrowFormatError) {
    self.reader = reader
    self.position = position
    vtable = position - Int(try reader.number(at: position, as: Int32.self))
    vtableSize = Int(try reader.number(at: vtable, as: UInt16.self))
  }

  /// Returns the position of a field's value, or nil if the field is absent.
  private func position(of field: Int) throws(ArrowFormatError) -> Int? {
    let entry = 4 + 2 * field
    guard entry + 2 <= vtableSize else { return nil }
    let offset = try reader.number(at: vtable + entry, as: UInt16.self)
    return offset == 0 ? nil : position + Int(offset)
  }

  /// Returns the value of a field, which is 0 if the field is absent.
  func number<Number: FixedWidthInteger>(_ field: Int, as: Number.Type) throws(ArrowFormatError) -> Number {
    guard let position = try position(of: field) else { return 0 }
    return try reader.number(at: position, as: Number.self)
  }

  func table(_ field: Int) throws(ArrowFormatError) -> MetadataTable? {
    guard let position = try position(of: field) else { return nil }
    return try reader.table(at: position)
  }

  func string(_ field: Int) throws(ArrowFormatError) -> String {
    guard let (start, count) = try vector(field, stride: 1) else { return "" }
    return reader.text(start..<start + count)
  }

  func tables(_ field: Int) throws(ArrowFormatError) -> [MetadataTable] {
    guard let (start, count) = try vector(field, stride: 4) else { return [] }
    return try (0..<count).map { (index) throws(ArrowFormatError) in try reader.table(at: start + 4 * index) }
  }

  /// Returns the 64-bit numbers of a vector of structs, each of which has `size` numbers.
  func structs(_ field: Int, size: Int) throws(ArrowFormatError) -> [[Int64]] {
    guard let (start, count) = try vector(field, stride: 8 * size) else { return [] }
    return try (0..<count).map { (index) throws(ArrowFormatError) in
      try (0..<size).map { (number) throws(ArrowFormatError) in
        try reader.number(at: start + 8 * (size * index + number), as: Int64.self)
      }
    }
  }

  /// Returns the position and the number of a vector's elements, which all lie within the bytes.
  private func vector(_ field: Int, stride: Int) throws(ArrowFormatError) -> (start: Int, count: Int)? {
    guard let position = try position(of: field) else { return nil }
    let vector = try reader.target(ofOffsetAt: position)
    let count = Int(try reader.number(at: vector, as: UInt32.self))
    guard count <= (reader.memory.bytes.count - vector - 4) / stride else { throw .damaged }
    return (vector + 4, count)
  }
}
