import Hashing
import TableFormats

/// The writer of hashes.arrow. A later run recognizes by the hashes the rows that it need not lay out again.
struct RowHashTable: ~Copyable {
  static let fileName = "hashes.arrow"

  var file: TableFileWriter<HashColumns<UnsafeMutablePointer<ColumnBuffer>>>

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, HashColumns.init)
  }

  mutating func append(_ job: JobTable) throws(OutputError) {
    let columns = file.columns
    for row in 0..<job.rowCount {
      let hash = job.hash(of: row)
      columns.low.append(hash.low)
      columns.high.append(hash.high)
      try file.endRecords()
    }
  }
}
