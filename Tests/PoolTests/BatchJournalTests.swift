import Foundation
import PoolMessages
import Testing

@testable import LayoutPool
@testable import ZeroMQ

/// What a journal gives back, whatever became of its file.
@Suite struct BatchJournalTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)").path

  private var batch: PoolJournalRecord.Batch {
    var batch = PoolJournalRecord.Batch()
    batch.version = Version.current
    batch.variants = [PoolVariant()]
    return batch
  }

  /// A batch of four chunks of three rows, each with its result.
  private func write() throws -> Data {
    try? FileManager.default.removeItem(atPath: path)
    let journal = try BatchJournal(creating: path, batch)
    for number in 0..<4 {
      var chunk = PoolFromClient.Chunk()
      chunk.firstRow = UInt64(number * 3)
      chunk.rows = 3
      _ = try journal.append(chunk, Frame(copying: lines(number)))
      _ = try journal.append(
        Self.job(UInt64(number * 3), rows: 3), [Frame(copying: [UInt8](repeating: 7, count: 40))])
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  static func job(_ firstRow: UInt64, rows: UInt32) -> JobBytes {
    JobBytes(
      source: .memory(Frame(copying: [])), start: 0, count: 0, firstLine: firstRow + 1, firstRow: firstRow, rows: rows,
      isKept: true)
  }

  private func lines(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(65 + number), count: 9) }

  /// What is there is as it was written.
  private func check(_ journal: BatchJournal, _ contents: BatchJournal.Contents) throws {
    for chunk in contents.chunks {
      let frame = try journal.file.read(chunk.lines)
      #expect(frame.withBytes { [UInt8]($0) } == lines(Int(chunk.message.firstRow) / 3))
    }
    for result in contents.results.values {
      for place in result.columns { #expect(try journal.file.read(place).withBytes { $0.allSatisfy { $0 == 7 } }) }
    }
  }

  @Test func whatWasWrittenComesBack() throws {
    _ = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (journal, contents) = try BatchJournal.recover(path)
    #expect(contents.chunks.count == 4 && contents.results.count == 4 && contents.damaged == 0)
    try check(journal, contents)
  }

  @Test func aRecordThatTheEndCutsOffIsDroppedAndTheFileGoesOn() throws {
    let whole = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var before = 9
    for size in stride(from: whole.count - 1, through: 120, by: -1) {
      try whole.prefix(size).write(to: URL(fileURLWithPath: path))
      let (journal, contents) = try BatchJournal.recover(path)
      let records = 1 + contents.chunks.count + contents.results.count
      #expect(contents.damaged == 0 && records <= before)
      before = records
      try check(journal, contents)
      _ = try journal.append(Self.job(99, rows: 1), [Frame(copying: [7])])
      #expect(try BatchJournal.recover(path).contents.results[99]?.rows == 1)
    }
    #expect(before < 9)
  }

  @Test func damageIsNeverTakenForContent() throws {
    let whole = try write()
    defer { try? FileManager.default.removeItem(atPath: path) }
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= UInt8(1 << (place % 8))
      try damaged.write(to: URL(fileURLWithPath: path))
      guard let (journal, contents) = try? BatchJournal.recover(path) else { continue }
      #expect(contents.chunks.count + contents.results.count < 8)
      try check(journal, contents)
    }
  }
}
