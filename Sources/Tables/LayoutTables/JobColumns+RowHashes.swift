import Hashing

extension JobColumns {
  /// Appends the hash of the next row. Either all rows of a job have hashes, or none.
  public func append(_ hash: RowHash) {
    columns.hashLow.append(hash.low)
    columns.hashHigh.append(hash.high)
  }
}

extension JobTable {
  /// Returns the hash of a row, which is unknown for the rows of a job that no worker has laid out.
  package func hash(of row: Int) -> RowHash {
    columns.hashLow.count == 0 ? .unknown : RowHash(low: columns.hashLow[row], high: columns.hashHigh[row])
  }
}
