import Foundation
import LayoutPool
import Testing

@testable import LoadTest

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

  @Test func batchesAreCutFromRowsRepeated() throws {
    let rows = try rows("{\"a\":1}\n\n{\"b\":22}\r\n  \n{\"c\":333}")
    #expect(rows.count == 3)
    #expect(try text(rows.reader(of: 0..<1)) == ("{\"a\":1}\n", 1))
    #expect(try text(rows.reader(of: 4..<9)).rows == 5)
    #expect(
      try text(rows.reader(of: 5..<10)).text == "{\"c\":333}\n{\"a\":1}\n{\"b\":22}\n{\"c\":333}\n{\"a\":1}\n")
  }

  @Test func aFileWithoutRowsIsNoLoad() {
    #expect { try rows("\n \n") } throws: { "\($0)".hasSuffix(": has no rows") }
  }
}

@Suite struct ProcessorTimeTests {
  @Test func processTimesAreReadBehindANameOfAnyKind() throws {
    let stat = try #require(
      ProcessStat("17 (a b) (c) S 12 17 17 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 1000 1 1"))
    #expect(stat.parent == 12 && stat.ticks == 300)
    #expect(ProcessStat("17 nonsense") == nil)
  }

  @Test func onlyProcessesThereAtBothMomentsCount() {
    let before = ProcessorTime(coordinator: 1, workers: [1: 10, 2: 20])
    let after = ProcessorTime(coordinator: 1.5, workers: [1: 13, 3: 5])
    #expect(after.since(before) == ProcessorTime(coordinator: 0.5, workers: [1: 3]))
    #expect(ProcessorTime(coordinator: nil, workers: [:]).since(before).coordinator == nil)
  }
}
