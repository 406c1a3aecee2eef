import Buffers
import Foundation
import LayoutEngine
import PoolProtocol
import Testing

@testable import PoolCoordinator

/// Tests of the contents that are read from intact, truncated and damaged journals.
@Suite struct JournalFileTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)").path

  private let batch = BatchDescription(program: [], variants: [Variant(width: 0, textScale: 0, scale: 0)])

  /// Writes a journal of four chunks of three rows, each with its result. Returns the bytes of the file.
  private func write() throws -> Data {
    try? FileManager.default.removeItem(atPath: path)
    let journal = try JournalFile(creating: path)
    _ = try journal.append(.batch(.current, batch))
    for number in 0..<4 {
      let lines = OwnedBytes(copying: lines(number))
      _ = try journal.append(.chunk(RowsChunk(lines, firstLine: 0, firstRow: UInt64(number * 3), rows: 3)))
      _ = try journal.append(Self.result(UInt64(number * 3), rows: 3, [UInt8](repeating: 7, count: 40)))
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  static func result(_ firstRow: UInt64, rows: UInt32, _ columns: [UInt8]) -> JournalRecord<OwnedBytes> {
    .result(ResultRun(firstRow: firstRow, rows: rows, columns: [OwnedBytes(copying: columns)], checksums: [1]))
  }

  /// Returns the journal of a batch and its contents, or nil if the file is not the journal of a batch.
  static func recover(_ path: String) throws -> (journal: JournalFile, contents: JournalContents)? {
    let journal = try JournalFile(path)
    let contents = try journal.contents()
    guard let batch = contents.batch, !batch.description.variants.isEmpty else { return nil }
    return (journal, contents)
  }

  private func lines(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(65 + number), count: 9) }

  /// Checks that all chunks and results of the journal are as they were written.
  private func check(_ journal: JournalFile, _ contents: JournalContents) throws {
    for chunk in contents.chunks {
      let bytes = try journal.read(chunk.lines)
      #expect(bytes.withBytes { [UInt8]($0) } == lines(Int(chunk.firstRow) / 3))
    }
    for result in contents.results.values {
      for range in result.columns { #expect(try journal.read(range).withBytes { $0.allSatisfy { $0 == 7 } }) }
    }
  }

  @Test func recordsAreReadAsTheyWereWritten() throws {
    _ = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (journal, contents) = try #require(try Self.recover(path))
    #expect(contents.chunks.count == 4 && contents.results.count == 4 && contents.damaged == 0)
    try check(journal, contents)
  }

  @Test func anIncompleteLastRecordIsDroppedAndRecordsCanBeAppended() throws {
    let whole = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var before = 9
    for size in stride(from: whole.count - 1, through: 120, by: -1) {
      try whole.prefix(size).write(to: URL(fileURLWithPath: path))
      let (journal, contents) = try #require(try Self.recover(path))
      let records = 1 + contents.chunks.count + contents.results.count
      #expect(contents.damaged == 0 && records <= before)
      before = records
      try check(journal, contents)
      _ = try journal.append(Self.result(99, rows: 1, [7]))
      #expect(try Self.recover(path)?.contents.results[99]?.rows == 1)
    }
    #expect(before < 9)
  }

  @Test func damagedRecordsAreNotReadAsContent() throws {
    let whole = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= UInt8(1 << (index % 8))
      try damaged.write(to: URL(fileURLWithPath: path))
      guard let (journal, contents) = try? Self.recover(path) else { continue }
      #expect(contents.chunks.count + contents.results.count < 8)
      try check(journal, contents)
    }
  }
}
