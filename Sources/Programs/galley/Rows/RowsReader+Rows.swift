import BatchLayout
import Buffers
import RowsFiles

/// The location of a row in the input.
struct RowLocation: CustomStringConvertible {
  /// The index of the row in all files, from 0.
  let number: UInt64
  let file: String
  /// The line number in the file, from 1.
  let line: UInt64

  /// `posts.jsonl:17`
  var description: String { "\(file):\(line)" }
}

extension RowsReader {
  private static let chunkBytes = 256 << 10

  /// Calls `body` with every row and its location until `isDone` returns true after one. `JSONParser.padding` bytes behind
  /// a row are readable.
  func forEachRow(
    until isDone: () -> Bool = { false }, _ body: (_ row: ByteString, _ location: RowLocation) throws -> Void
  ) throws {
    while let chunk = try next(bytes: Self.chunkBytes) {
      var number = chunk.firstRow
      var ends = false
      try chunk.forEachRow { row, line in
        guard !ends else { return }
        try body(row, RowLocation(number: number, file: chunk.file.isEmpty ? name : chunk.file, line: line))
        number += 1
        ends = isDone()
      }
      guard !ends else { return }
    }
  }
}

extension JobLayout {
  /// Lays out the rows of a chunk. Returns their number.
  func layOut(_ chunk: RowsChunk<OwnedBytes>) -> Int {
    chunk.lines.withBytes { lines in
      layout(
        ByteString(lines), firstLine: chunk.firstLine, firstRow: chunk.firstRow, file: chunk.file)
    }
  }
}
