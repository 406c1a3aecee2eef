import Buffers
import LayoutEngine
import ListTables

/// Rows that are found by going through the tables of a variant.
package enum RowSearch {
  /// A row that was found, with its height or its error.
  package struct Found: JSONWritable {
    package let row: Int
    let id: String
    package let height: Float
    let error: String?

    package func append(to json: inout JSONText) {
      json.append(#"{"row":"#, row)
      json.append(#","id":"#, id)
      if let error { json.append(#","error":"#, error) } else { json.append(#","height":"#, height) }
      json.append("}")
    }
  }

  /// Returns the rows with the largest heights, in descending order of height.
  package static func tallest(_ heights: Heights, _ count: Int) throws(TableError) -> [Found] {
    guard count > 0 else { return [] }
    var best: [(row: Int, height: Float)] = []
    var row = 0
    heights.forEachRun(0..<heights.rowCount) { columns, indices in
      for index in indices {
        let height = columns.height[index]
        if height > 0, best.count < count || height > best[best.count - 1].height {
          insert((row, height), into: &best, count)
        }
        row += 1
      }
    }
    return try best.map { (entry) throws(TableError) in
      Found(row: entry.row, id: try heights.id(of: entry.row), height: entry.height, error: nil)
    }
  }

  private static func insert(
    _ entry: (row: Int, height: Float), into best: inout [(row: Int, height: Float)], _ count: Int
  ) {
    best.insert(entry, at: partitionPoint(best.count) { best[$0].height >= entry.height })
    if best.count > count { best.removeLast() }
  }

  /// Returns the first rows that are bad in any variant, with the error of the first such variant.
  static func errors(_ variants: [ViewedRun.Variant], _ count: Int) throws(TableError) -> [Found] {
    var rows: [Found] = []
    let rowCount = variants.first?.tables.heights.rowCount ?? 0
    let bad = variants.filter { $0.badRows > 0 }.map(\.tables.heights)
    var row = 0
    while row < rowCount, rows.count < count, !bad.isEmpty {
      if let heights = bad.first(where: { $0.isBad(row) }) {
        rows.append(
          Found(row: row, id: try heights.id(of: row), height: 0, error: try heights.error(of: row) ?? ""))
      }
      row += 1
    }
    return rows
  }
}
