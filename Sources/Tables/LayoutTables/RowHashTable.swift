import ArrowFormat
import Buffers
import Hashing

/// The writer of hashes.arrow, which has the hash of each row. A later run recognizes by them the rows that it need not
/// lay out again.
struct RowHashTable: ~Copyable {
  static let fileName = "hashes.arrow"
  static let batchSize = 65_536
  static let fields = [
    ArrowField(name: "hash_low", type: .uint64), ArrowField(name: "hash_high", type: .uint64),
  ]

  private var writer: ArrowFileWriter
  private var low = FlatBuffer<UInt64>(capacity: batchSize)
  private var high = FlatBuffer<UInt64>(capacity: batchSize)
  private var hasBatches = false

  init(creating path: String) throws(OutputError) {
    writer = try ArrowFileWriter(creating: path, ArrowSchema(Self.fields))
  }

  /// The checksum of the bytes written so far.
  var checksum: UInt64 { writer.checksum }

  mutating func append(_ job: JobTable) throws(OutputError) {
    for row in 0..<job.rowCount {
      let hash = job.hash(of: row)
      low.append(hash.low)
      high.append(hash.high)
      if low.count == Self.batchSize { try flush() }
    }
  }

  mutating func finish() throws(OutputError) {
    if low.count > 0 || !hasBatches { try flush() }
    try writer.finish()
  }

  private mutating func flush() throws(OutputError) {
    hasBatches = true
    try writer.write(rows: low.count, [ArrowColumn(low.bytes), ArrowColumn(high.bytes)])
    low.removeAll()
    high.removeAll()
  }
}
