import Buffers

/// A column of a table or of a job.
///
/// - `Value`: The type of the values. The values of an optional type may be null.
/// - `Storage`: Where the values are, such as a buffer that is filled, or a part of a file that was read.
@usableFromInline
package struct Column<Value, Storage> {
  @usableFromInline package let storage: Storage

  package init(storage: Storage) { self.storage = storage }
}

/// What a table's declaration states about a column.
package struct ColumnFormat: Sendable {
  package let name: String
  package let type: ArrowType
  package let isNullable: Bool
  package let unit: String
  /// A sentence for the reference.
  package let meaning: String
  /// Whether the values follow from the positions of the records, so that Galley does not read them.
  package let isDerived: Bool
  /// Whether tables of earlier versions lack the column, so that a table without it is read.
  package var isLater = false

  package var field: ArrowField { ArrowField(name: name, type: type, isNullable: isNullable) }
}

/// A type of values that Arrow has a type for.
package protocol ColumnValue {
  static var arrowType: ArrowType { get }
  static var isNullable: Bool { get }
}

extension ColumnValue {
  package static var isNullable: Bool { false }
}

extension UInt16: ColumnValue { package static var arrowType: ArrowType { .uint16 } }
extension UInt32: ColumnValue { package static var arrowType: ArrowType { .uint32 } }
extension UInt64: ColumnValue { package static var arrowType: ArrowType { .uint64 } }
extension Int32: ColumnValue { package static var arrowType: ArrowType { .int32 } }
extension Int64: ColumnValue { package static var arrowType: ArrowType { .int64 } }
extension Float: ColumnValue { package static var arrowType: ArrowType { .float32 } }
extension Double: ColumnValue { package static var arrowType: ArrowType { .float64 } }
extension Bool: ColumnValue { package static var arrowType: ArrowType { .bool } }
extension ByteString: ColumnValue { package static var arrowType: ArrowType { .utf8 } }

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package static var arrowType: ArrowType { Wrapped.arrowType }
  package static var isNullable: Bool { true }
}

// MARK: Declarations

// Each initializer declares one column: `storage` returns where its values are. The columns of a table are declared in
// their order.

extension Column where Value: ColumnValue {
  init(
    _ name: String, unit: String = "", isDerived: Bool = false, isLater: Bool = false, _ meaning: String,
    _ storage: (ColumnFormat) -> Storage
  ) {
    self.init(
      storage: storage(
        ColumnFormat(
          name: name, type: Value.arrowType, isNullable: Value.isNullable, unit: unit, meaning: meaning,
          isDerived: isDerived, isLater: isLater)))
  }
}

extension Column where Value: FixedWidthInteger {
  /// Declares a column of strings that are referred to by number.
  ///
  /// - Parameter id: The number of the dictionary in the file.
  init(_ name: String, dictionary id: Int64, _ meaning: String, _ storage: (ColumnFormat) -> Storage) {
    self.init(
      storage: storage(
        ColumnFormat(
          name: name, type: .dictionary(id: id, indexBits: Int32(Value.bitWidth)), isNullable: false, unit: "",
          meaning: meaning, isDerived: false)))
  }
}

extension Column where Value == Int32 {
  /// Declares a column of lists of records. Its values are the indices of the first record of each list.
  ///
  /// - Parameter records: The columns of the records.
  init(
    _ name: String, listOf records: [ColumnFormat], isLater: Bool = false, _ meaning: String,
    _ storage: (ColumnFormat) -> Storage
  ) {
    let record = ArrowField(name: "item", type: .structure(records.map(\.field)))
    self.init(
      storage: storage(
        ColumnFormat(
          name: name, type: .list(record), isNullable: false, unit: "", meaning: meaning, isDerived: false,
          isLater: isLater)))
  }
}

/// Returns what the declaration of a table states about its columns, in their order.
///
/// - Parameter declare: The initializer of the table's columns.
package func columnFormats<Columns>(_ declare: ((ColumnFormat) -> Void) -> Columns) -> [ColumnFormat] {
  var formats: [ColumnFormat] = []
  _ = declare { formats.append($0) }
  return formats
}

// MARK: Columns that were read

extension Column where Storage == ArrowColumnView {
  package var rowCount: Int { storage.rowCount }

  @inlinable @inline(__always)
  package func isNull(at index: Int) -> Bool { storage.isNull(at: index) }
}

extension Column where Storage == ArrowColumnView, Value: BitwiseCopyable & Numeric {
  @inlinable @inline(__always)
  package subscript(index: Int) -> Value { storage.number(at: index, as: Value.self) }

  /// Returns the bytes of numbers.
  @inlinable
  package func bytes(_ indices: Range<Int>) -> UnsafeRawBufferPointer { storage.bytes(indices, Value.self) }
}

extension Column where Storage == ArrowColumnView, Value == Float? {
  /// The value, or nil if it is null, or if the table has no such column.
  @inlinable @inline(__always)
  package subscript(index: Int) -> Float? {
    storage.values.isEmpty || storage.isNull(at: index) ? nil : storage.number(at: index, as: Float.self)
  }
}

extension Column where Storage == ArrowColumnView, Value == Bool {
  /// The value, or false if the table has no such column.
  @inlinable @inline(__always)
  package subscript(index: Int) -> Bool { !storage.values.isEmpty && storage.bit(at: index) }
}

extension Column where Storage == ArrowColumnView, Value == ByteString {
  /// The bytes of a string, or nil if its offsets are damaged.
  @inlinable
  package subscript(index: Int) -> UnsafeRawBufferPointer? { storage.string(at: index) }
}
