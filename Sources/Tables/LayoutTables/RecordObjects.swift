import Buffers
import TableFormats

/// The writer of the records of batches as JSON objects, which have the columns by their names.
struct RecordObjects: ~Copyable {
  enum MemberType {
    case int32, int64, float32, bool, utf8, list
  }

  // Not private, because the compiler of Swift 6.3 then makes no valid code of `StreamBatch` without optimizations.
  struct Member: BitwiseCopyable {
    /// The number of the name as a key, with what is before it.
    let key: Int32
    let type: MemberType
    /// The index behind the members of the records, which follow a list.
    var end = 0
    /// The values in the current batch.
    var values = ArrowColumnView.empty
  }

  private var members = FlatBuffer<Member>(capacity: 64)
  private var keys = NameTable()

  init(_ fields: [ArrowField]) { declare(fields) }

  private mutating func declare(_ fields: [ArrowField]) {
    for (index, field) in fields.enumerated() {
      let member = members.count
      let key = keys.number(of: "\(index == 0 ? "{" : ",")\"\(field.name)\":")
      members.append(Member(key: key, type: Self.type(of: field)))
      if case .list(let item) = field.type, case .structure(let records) = item.type { declare(records) }
      members.base[member].end = members.count
    }
  }

  private static func type(of field: ArrowField) -> MemberType {
    switch field.type {
    case .int32: .int32
    case .int64: .int64
    case .float32: .float32
    case .bool: .bool
    case .utf8: .utf8
    case .list: .list
    case .uint64, .uint32, .uint16, .float64, .dictionary, .structure:
      preconditionFailure("the stream has no column of the type of \(field.name)")
    }
  }

  /// Takes the columns of the next batch, which are valid until the last of its records is written.
  mutating func begin(rows: Int, _ columns: [ArrowColumn]) {
    var index = 0
    refer(to: columns, rows, &index)
  }

  private mutating func refer(to columns: [ArrowColumn], _ rows: Int, _ index: inout Int) {
    for column in columns {
      let (buffers, none) = (column.buffers, UnsafeRawBufferPointer(start: nil, count: 0))
      members.base[index].values = ArrowColumnView(
        rowCount: column.length ?? rows, validity: column.nullCount > 0 ? buffers[0] : none, values: buffers[1],
        bytes: buffers.count > 2 ? buffers[2] : none)
      index += 1
      if let records = column.children.first { refer(to: records.children, records.length ?? rows, &index) }
    }
  }

  /// Appends a record of the current batch.
  func append(record: Int, to text: inout JSONText) { append(record, 0..<members.count, to: &text) }

  private func append(_ record: Int, _ range: Range<Int>, to text: inout JSONText) {
    var index = range.lowerBound
    while index < range.upperBound {
      let member = members[index]
      text.append(literal: UnsafeRawBufferPointer(keys[Int(member.key)].bytes))
      if member.values.isNull(at: record) {
        text.append("null")
      } else {
        append(member, record, index + 1..<member.end, to: &text)
      }
      index = member.end
    }
    text.append("}")
  }

  /// Appends a value that is not null.
  ///
  /// - Parameter range: The members of the records of a list.
  private func append(_ member: Member, _ index: Int, _ range: Range<Int>, to text: inout JSONText) {
    let values = member.values
    switch member.type {
    case .int32: text.append(Int(values.number(at: index, as: Int32.self)))
    case .int64: text.append(Int(values.number(at: index, as: Int64.self)))
    case .float32: text.append("", orInfinite: values.number(at: index, as: Float.self))
    case .bool: text.append(values.bit(at: index))
    case .utf8: text.append(string: values.string(at: index) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    case .list:
      let first = Int(values.number(at: index, as: Int32.self))
      let end = Int(values.number(at: index + 1, as: Int32.self))
      text.append("[")
      for record in first..<end {
        text.separate(record - first)
        append(record, range, to: &text)
      }
      text.append("]")
    }
  }
}
