import BatchLayout
import Buffers
import CellModels
import LayoutPool

extension RowsReader {
  private static let chunkBytes = 256 << 10

  /// Calls `body` with every row, its number from 0 and its line from 1, until it returns false. `JSONParser.padding`
  /// bytes behind a row are readable.
  func forEachRow(_ body: (_ row: ByteString, _ number: UInt64, _ line: UInt64) throws -> Bool) throws {
    while let chunk = try next(bytes: Self.chunkBytes) {
      let bytes = chunk.lines.withBytes { [UInt8]($0) } + [UInt8](repeating: 0, count: JSONParser.padding)
      let goesOn = try bytes.withUnsafeBufferPointer { buffer -> Bool in
        guard let start = buffer.baseAddress else { return true }
        var lines = Lines(ByteString(start: start, count: chunk.lines.count))
        var line = chunk.firstLine
        var number = chunk.firstRow
        while let (next, _) = lines.next() {
          defer { line += 1 }
          let row = line == 1 ? next.withoutByteOrderMark : next
          if row.isBlankLine { continue }
          guard try body(row, number, line) else { return false }
          number += 1
        }
        return true
      }
      guard goesOn else { return }
    }
  }
}
