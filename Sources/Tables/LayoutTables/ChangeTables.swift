import Glibc

/// The two tables of what changed between two tables of a list: rows.arrow and nodes.arrow of one variant.
public struct ChangeTables: ~Copyable {
  public var rows: RowChangeTable
  public var nodes: NodeChangeTable

  /// - Parameters:
  ///   - directory: The directory of the variant, which is created.
  ///   - nodeChanges: The names of the changes of nodes.
  public init(in directory: String, nodeChanges: [String]) throws(OutputError) {
    guard mkdir(directory, 0o777) == 0 else { throw OutputError(directory, errno: errno) }
    let rows = try RowChangeTable(creating: directory + "/rows.arrow")
    let nodes = try NodeChangeTable(creating: directory + "/nodes.arrow", changes: nodeChanges)
    self.rows = rows
    self.nodes = nodes
  }

  public mutating func finish() throws(OutputError) {
    try rows.finish()
    try nodes.finish()
  }
}
