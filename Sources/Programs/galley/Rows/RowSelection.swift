import Buffers
import Foundation
import RowsFiles

/// The functions that find the rows that `inspect` shows, by index or ID.
struct RowSelection {
  struct Row {
    let location: RowLocation
    let bytes: [UInt8]

    fileprivate init(_ row: ByteString, _ location: RowLocation) {
      (self.location, bytes) = (location, [UInt8](row.bytes))
    }
  }

  /// The rows that were found for a name so far. A row with that index precedes a row with that ID.
  private struct Found {
    var byNumber: Row?
    var byID: Row?
    var row: Row? { byNumber ?? byID }
  }

  static func first(_ count: Int, of rows: RowsReader) throws -> [Row] {
    var found: [Row] = []
    try rows.forEachRow(until: { found.count >= count }) { found.append(Row($0, $1)) }
    guard !found.isEmpty else { throw RunFailure(message: "\(rows.name): has no rows; write one JSON object per line") }
    return found
  }

  /// Returns the rows that have the indices or IDs in `names`, in that order; a name may be a list such as
  /// `1,5,post-7`.
  ///
  /// - Parameter id: A function that returns the ID of a row, or nil.
  static func rows(_ names: [String], of rows: RowsReader, id: (ByteString) -> String?) throws -> [Row] {
    var found: [String: Found] = [:]
    for name in names { for part in [name] + parts(of: name) { found[part] = Found() } }
    var count: UInt64 = 0
    // Stop when every name is found by index. An ID may be in any later row.
    try rows.forEachRow(until: { names.allSatisfy { found[$0]?.byNumber != nil } }) { row, location in
      count = location.number + 1
      if found["\(location.number)"] != nil { found["\(location.number)"]?.byNumber = Row(row, location) }
      if let id = id(row), let known = found[id], known.byID == nil { found[id]?.byID = Row(row, location) }
    }
    guard count > 0 else { throw RunFailure(message: "\(rows.name): has no rows; write one JSON object per line") }
    return try names.flatMap { name -> [Row] in
      if let row = found[name]?.row { return [row] }
      return try (parts(of: name).isEmpty ? [name] : parts(of: name)).map { part in
        if let row = found[part]?.row { return row }
        throw RunFailure(
          message: "\(rows.name): has no row \(part): no row has that number or id; its rows are 0 to \(count - 1)")
      }
    }
  }

  /// Returns the names in a list such as `1,5`, or an empty array if `name` is not a list.
  private static func parts(of name: String) -> [String] {
    name.contains(",") ? name.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } : []
  }
}
