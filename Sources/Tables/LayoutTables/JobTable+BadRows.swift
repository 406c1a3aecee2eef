extension JobTable {
  /// The number of rows that could not be laid out.
  public var badRowCount: Int { (0..<rowCount).count { columns.errorLength[$0] > 0 } }
}
