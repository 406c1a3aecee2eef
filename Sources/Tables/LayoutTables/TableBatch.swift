import Buffers
import TableFormats

/// The columns of a table that are filled for one record batch.
struct TableBatch<Columns>: ~Copyable {
  let columns: Columns
  let formats: [ColumnFormat]
  private let buffers: ColumnBuffers
  private let strings: [UnsafeMutablePointer<ColumnBuffer>]

  /// - Parameter declare: The initializer of the table's columns.
  init(_ declare: ((ColumnFormat) -> UnsafeMutablePointer<ColumnBuffer>) -> Columns) {
    var formats: [ColumnFormat] = []
    var buffers = ColumnBuffers()
    columns = declare { format in
      formats.append(format)
      return buffers.add(hasOffsets: format.type.hasOffsets)
    }
    strings = zip(formats, buffers.pointers).filter { $0.0.type == .utf8 }.map(\.1)
    self.formats = formats
    self.buffers = buffers
  }

  /// The number of bytes after which a batch ends early, because offsets are 32-bit numbers. Rows are added one by one,
  /// so that the batches do not depend on how the rows were split into jobs.
  private static var maxBytes: Int { 256 << 20 }

  /// Whether a column of strings has as many bytes as a batch can have.
  var isFull: Bool { strings.contains { $0.pointee.bytes.count >= Self.maxBytes } }

  /// The number of records, counted by the first column, whose values are numbers or strings.
  var count: Int {
    guard let type = formats.first?.type, let bytes = buffers.pointers.first?.pointee.values.count else { return 0 }
    // Strings have one offset more than there are records.
    let (none, one) = (type.valuesSize(rows: 0), type.valuesSize(rows: 1))
    return (bytes - none) / (one - none)
  }

  func removeAll() { buffers.removeAll() }

  /// Returns the columns as they are written. They refer to the buffers.
  ///
  /// - Parameter lists: The number of records and their columns for each column of lists.
  func arrowColumns(lists: [(count: Int, records: [ArrowColumn])] = []) -> [ArrowColumn] {
    var lists = lists[...]
    return zip(formats, buffers.pointers).map { format, buffer in
      let values = buffer.pointee.values.bytes
      let (validity, nullCount) = (buffer.pointee.validity.bytes.bytes, buffer.pointee.nullCount)
      switch format.type {
      case .utf8:
        return ArrowColumn(
          offsets: values, bytes: buffer.pointee.bytes.bytes, validity: validity, nullCount: nullCount)
      case .bool: return ArrowColumn(buffer.pointee.bits.bytes.bytes)
      case .list:
        let list = lists.removeFirst()
        return ArrowColumn(listOffsets: values, count: list.count, fields: list.records)
      default: return ArrowColumn(values, validity: validity, nullCount: nullCount)
      }
    }
  }
}

extension ArrowType {
  fileprivate var hasOffsets: Bool {
    switch self {
    case .utf8, .list: true
    default: false
    }
  }
}
