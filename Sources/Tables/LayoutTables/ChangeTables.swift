import Glibc

/// The two tables of what changed between two tables of a list: rows.arrow and nodes.arrow of one variant.
public struct ChangeTables {
  public let rows: RowChangeTable
  public let nodes: NodeChangeTable

  /// - Parameters:
  ///   - directory: The directory of the variant, which is created.
  ///   - nodeChanges: The names of the changes of nodes.
  public init(in directory: String, nodeChanges: [String]) throws(OutputError) {
    guard mkdir(directory, 0o777) == 0 else { throw OutputError(directory, errno: errno) }
    rows = try RowChangeTable(creating: directory + "/rows.arrow")
    nodes = try NodeChangeTable(creating: directory + "/nodes.arrow", changes: nodeChanges)
  }

  public func finish() throws(OutputError) {
    try rows.finish()
    try nodes.finish()
  }
}
