import Buffers
import RowsFiles

/// Where a row is: its number from 0, and its line from 1 in its file.
struct RowPlace: CustomStringConvertible {
  let number: UInt64
  let file: String
  let line: UInt64

  /// `posts.jsonl:17`
  var description: String { "\(file):\(line)" }
}

extension RowsReader {
  private static let chunkBytes = 256 << 10

  /// Calls `body` with every row and its place until it returns false. `JSONParser.padding` bytes behind a row are
  /// readable.
  func forEachRow(_ body: (_ row: ByteString, _ place: RowPlace) throws -> Bool) throws {
    while let chunk = try next(bytes: Self.chunkBytes) {
      var number = chunk.firstRow
      var goesOn = true
      try chunk.forEachRow { row, line in
        guard goesOn else { return }
        goesOn = try body(row, RowPlace(number: number, file: chunk.file.isEmpty ? name : chunk.file, line: line))
        number += 1
      }
      guard goesOn else { return }
    }
  }
}
