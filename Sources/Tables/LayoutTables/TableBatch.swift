import Buffers
import TableFormats

/// The columns of a table that are filled for one record batch.
final class TableBatch<Columns>: RecordBatch {
  let columns: Columns

  /// - Parameters:
  ///   - lists: The records of the columns of lists, in the order of these.
  ///   - declare: The initializer of the table's columns.
  init(lists: [RecordBatch] = [], _ declare: ((ColumnFormat) -> UnsafeMutablePointer<ColumnBuffer>) -> Columns) {
    var formats: [ColumnFormat] = []
    var buffers = ColumnBuffers()
    columns = declare { format in
      formats.append(format)
      return buffers.add(hasOffsets: format.type.hasOffsets)
    }
    super.init(formats, buffers, lists)
  }
}

/// The records of a batch, or of the lists in one, whatever their columns are.
class RecordBatch {
  let formats: [ColumnFormat]
  private let buffers: ColumnBuffers
  private let lists: [RecordBatch]
  /// The columns of strings, also those of the lists.
  private let strings: [UnsafeMutablePointer<ColumnBuffer>]

  fileprivate init(_ formats: [ColumnFormat], _ buffers: consuming ColumnBuffers, _ lists: [RecordBatch]) {
    let own = zip(formats, buffers.pointers).filter { $0.0.type == .utf8 }.map(\.1)
    let listCount = formats.count { if case .list = $0.type { true } else { false } }
    precondition(listCount == lists.count, "each column of lists has its records")
    strings = lists.reduce(own) { $0 + $1.strings }
    self.formats = formats
    self.buffers = buffers
    self.lists = lists
  }

  /// The number of bytes after which a batch ends early, because offsets are 32-bit numbers. Rows are added one by one,
  /// so that the batches do not depend on how the rows were split into jobs.
  private static var maxBytes: Int { 256 << 20 }

  /// Whether a column of strings has as many bytes as a batch can have.
  final var isFull: Bool { strings.contains { $0.pointee.bytes.count >= Self.maxBytes } }

  /// The number of records, counted by the first column, whose values are numbers or strings.
  final var count: Int {
    guard let type = formats.first?.type, let bytes = buffers.pointers.first?.pointee.values.count else { return 0 }
    // Strings have one offset more than there are records.
    let (none, one) = (type.valuesSize(rows: 0), type.valuesSize(rows: 1))
    return (bytes - none) / (one - none)
  }

  /// Removes the records and those of their lists.
  final func removeAll() {
    buffers.removeAll()
    for list in lists { list.removeAll() }
  }

  /// Returns the columns as they are written. They refer to the buffers.
  final func arrowColumns() -> [ArrowColumn] {
    var lists = lists[...]
    return zip(formats, buffers.pointers).map { format, buffer in
      let values = buffer.pointee.values.bytes
      let (validity, nullCount) = (buffer.pointee.validity.bytes.bytes, buffer.pointee.nullCount)
      switch format.type {
      case .utf8:
        return ArrowColumn(values, buffer.pointee.bytes.bytes, validity: validity, nullCount: nullCount)
      case .bool: return ArrowColumn(buffer.pointee.bits.bytes.bytes)
      case .list:
        let list = lists.removeFirst()
        return ArrowColumn(listOffsets: values, count: list.count, fields: list.arrowColumns())
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
