import Foundation
import RowsFiles
import Testing

@testable import LoadTesting

@Suite struct LoadRowsTests {
  private func rows(_ text: String) throws -> LoadRows {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("rows-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try LoadRows(try RowsReader(file.path))
  }

  private func text(_ reader: RowsReader) throws -> (text: String, rows: Int) {
    var bytes: [UInt8] = []
    var count = 0
    while let chunk = try reader.next(bytes: 100) {
      bytes += chunk.lines.bytes
      count += Int(chunk.rows)
    }
    return (String(decoding: bytes, as: UTF8.self), count)
  }

  @Test func batchesAreTakenFromRepeatedRows() throws {
    let rows = try rows("{\"a\":1}\n\n{\"b\":22}\r\n  \n{\"c\":333}")
    #expect(rows.count == 3)
    #expect(try text(rows.reader(of: 0..<1)) == ("{\"a\":1}\n", 1))
    #expect(try text(rows.reader(of: 4..<9)).rows == 5)
    #expect(
      try text(rows.reader(of: 5..<10)).text == "{\"c\":333}\n{\"a\":1}\n{\"b\":22}\n{\"c\":333}\n{\"a\":1}\n")
  }

  @Test func aFileWithoutRowsIsRejected() {
    #expect { try rows("\n \n") } throws: { "\($0)".hasSuffix(": has no rows") }
  }
}
