import Buffers
import Foundation
import GalleyTestSupport
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of rows.arrow and nodes.arrow: readers find the columns, values and nulls that were written.
@Suite struct ChangeTablesTests {
  private let scratch = Scratch()

  /// Calls a function with a file and the columns of its first batch.
  private func read<Result>(
    _ name: String, _ body: (ArrowFileReader, [ArrowColumnView]) throws -> Result
  ) throws -> Result {
    let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path("w390/\(name)")))
    return try file.withUnsafeBytes { bytes in
      let file = try ArrowFileReader(size: bytes.count) { OwnedBytes(copying: Array(bytes[$0])) }
      return try body(file, (file.batches.first?.columns ?? []).map { ArrowColumnView($0, in: bytes) })
    }
  }

  private struct Row {
    let id: String
    var old, new: ChangeTables.RowPlace?
    var flags = false
  }

  private struct Node {
    let id, node: String
    let change: Int
    var old, new: ChangeTables.NodePlace?
  }

  private func write(rows: [Row], nodes: [Node]) throws {
    let tables = try ChangeTables(in: scratch.path("w390"), nodeChanges: ["inserted", "moved"])
    for row in rows {
      try Array(row.id.utf8).withUnsafeBytes {
        try tables.append(
          row: $0, old: row.old, new: row.new, isMoved: row.flags, isResized: row.flags, isChanged: row.flags,
          isRedrawn: row.flags)
      }
    }
    for node in nodes {
      try Array(node.id.utf8).withUnsafeBytes {
        try tables.append(node: node.node, ofRow: $0, change: node.change, old: node.old, new: node.new)
      }
    }
    try tables.finish()
  }

  /// Returns the numbers of a column, with nil for null.
  private func numbers<Number: BitwiseCopyable>(_ column: ArrowColumnView, _ type: Number.Type) -> [Number?] {
    (0..<column.rowCount).map { column.isNull(at: $0) ? nil : column.number(at: $0, as: Number.self) }
  }

  private func strings(_ column: ArrowColumnView) -> [String] {
    (0..<column.rowCount).compactMap { column.string(at: $0).map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func rowsHaveTheColumnsAndValuesThatWereWritten() throws {
    try write(
      rows: [
        Row(id: "gone", old: (3, 30.5, 7)), Row(id: "come", new: (0, 0, 2.5)),
        Row(id: "same", old: (1, 5, 6), new: (2, 1e9, 8), flags: true),
      ], nodes: [])
    try read("rows.arrow") { file, columns in
      let names = [
        "id", "old_row", "new_row", "moved", "resized", "changed", "old_y", "new_y", "old_height", "new_height",
        "redrawn",
      ]
      #expect(file.schema.fields.map(\.name) == names)
      #expect(
        file.schema.fields.map(\.type)
          == [.utf8, .uint64, .uint64, .bool, .bool, .bool, .float64, .float64, .float32, .float32, .bool])
      #expect(strings(columns[0]) == ["gone", "come", "same"])
      #expect(numbers(columns[1], UInt64.self) == [3, nil, 1])
      #expect(numbers(columns[2], UInt64.self) == [nil, 0, 2])
      for flags in columns[3...5] + [columns[10]] {
        #expect((0..<3).map { flags.bit(at: $0) } == [false, false, true])
      }
      #expect(numbers(columns[6], Double.self) == [30.5, nil, 5])
      #expect(numbers(columns[7], Double.self) == [nil, 0, 1e9])
      #expect(numbers(columns[8], Float.self) == [7, nil, 6])
      #expect(numbers(columns[9], Float.self) == [nil, 2.5, 8])
    }
  }

  @Test func nodesHaveTheColumnsAndValuesThatWereWritten() throws {
    try write(
      rows: [],
      nodes: [
        Node(id: "a", node: "photo", change: 0, new: (4, 1, 2, 3, 4)),
        Node(id: "b", node: "text", change: 1, old: (0, 5, 6, 7, 8), new: (1, 9, 10, 11, 12)),
      ])
    try read("nodes.arrow") { file, columns in
      let names = [
        "id", "node", "change", "old_index", "new_index", "old_x", "old_y", "old_width", "old_height", "new_x", "new_y",
        "new_width", "new_height",
      ]
      #expect(file.schema.fields.map(\.name) == names)
      #expect(strings(columns[0]) == ["a", "b"])
      let (nodes, changes) = (try file.dictionary(0), try file.dictionary(1))
      #expect(numbers(columns[1], Int32.self).map { $0.map { nodes[Int($0)] } } == ["photo", "text"])
      #expect(numbers(columns[2], Int8.self).map { $0.map { changes[Int($0)] } } == ["inserted", "moved"])
      #expect(numbers(columns[3], UInt32.self) == [nil, 0])
      #expect(numbers(columns[4], UInt32.self) == [4, 1])
      #expect(columns[5...8].map { numbers($0, Float.self) } == [[nil, 5], [nil, 6], [nil, 7], [nil, 8]])
      #expect(columns[9...12].map { numbers($0, Float.self) } == [[1, 9], [2, 10], [3, 11], [4, 12]])
    }
  }

  @Test func moreRecordsThanABatchAreInSeveral() throws {
    let row = Row(id: "a", new: (1, 1, 1))
    let node = Node(id: "a", node: "n", change: 0, new: (0, 0, 0, 0, 0))
    try write(rows: Array(repeating: row, count: 70_000), nodes: Array(repeating: node, count: 70_000))
    for name in ["rows.arrow", "nodes.arrow"] {
      #expect(try read(name) { file, _ in file.batches.map(\.rowCount) } == [65_536, 4_464])
    }
  }

  @Test func tablesWithoutRecordsAreFiles() throws {
    try write(rows: [], nodes: [])
    for name in ["rows.arrow", "nodes.arrow"] { #expect(try read(name) { file, _ in file.batches.isEmpty }) }
  }
}
