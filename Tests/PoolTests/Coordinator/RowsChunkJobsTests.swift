import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the division of chunks into jobs.
@Suite struct RowsChunkJobsTests {
  private func whole(_ chunk: OwnedBytes, firstLine: UInt64, firstRow: UInt64, rows: UInt32) -> RowsChunk<OwnedBytes> {
    RowsChunk(chunk, firstLine: firstLine, firstRow: firstRow, rows: rows)
  }

  private func text(_ job: RowsChunk<OwnedBytes>) -> String {
    job.lines.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func chunksAreCutAtLinesAndJobsAreSplitAtRows() throws {
    let lines = (0..<10).map { "{\"row\":\($0)}\n" }.joined() + "\n\n"
    let chunk = OwnedBytes(copying: Array(lines.utf8))
    let jobs = try #require(
      whole(chunk, firstLine: 1, firstRow: 0, rows: 10).cut(jobBytes: 25, counts: true))
    #expect(jobs.map(\.rows).reduce(0, +) == 10)
    #expect(jobs.map(text).joined() == lines)
    #expect(jobs.filter { $0.rows > 0 }.map(\.firstRow) == [0, 3, 6, 9])
    let parts = try #require(jobs[0].split())
    #expect(parts.map(text).joined() == text(jobs[0]))
    #expect(parts.map(\.rows) == [1, 1, 1] && parts.map(\.firstRow) == [0, 1, 2])
    #expect(parts[2].firstLine == 3)
  }

  @Test func aJobOfManyRowsIsSplitIntoFewParts() throws {
    let lines = OwnedBytes(copying: Array(String(repeating: "{}\n\n", count: 100).utf8))
    let parts = try #require(whole(lines, firstLine: 1, firstRow: 0, rows: 100).split())
    #expect(parts.map(\.rows) == [UInt32](repeating: 7, count: 14) + [2])
    #expect(parts[1].firstRow == 7 && parts[1].firstLine == 14)
  }

  @Test func aChunkWithFewerRowsThanDeclaredIsRefused() throws {
    let chunk = OwnedBytes(copying: Array("{}\n".utf8))
    let jobs = whole(chunk, firstLine: 1, firstRow: 0, rows: 2).cut(jobBytes: 10, counts: true)
    #expect(jobs == nil)
    #expect(whole(chunk, firstLine: 1, firstRow: 0, rows: .max).split() == nil)
  }

  /// Jobs with stored results were cut at other costs. They have the same rows again.
  @Test func rowsWithStoredResultsAreCutIntoTheSameJobs() throws {
    let chunk = OwnedBytes(copying: Array((0..<20).map { "{\"row\":\($0)}\n" }.joined().utf8))
    let done: [UInt64: UInt32] = [102: 3, 105: 1, 110: 7]
    let jobs = try #require(
      whole(chunk, firstLine: 50, firstRow: 100, rows: 20).cut(
        jobBytes: 45, counts: true,
        stored: Dictionary(
          uniqueKeysWithValues: done.map {
            ($0.key, ResultRun(firstRow: $0.key, rows: $0.value, columns: [], checksums: []))
          })))
    for (row, rows) in done { #expect(jobs.first { $0.firstRow == row }?.rows == rows) }
    #expect(jobs.map(\.firstRow) == [100, 102, 105, 106, 110, 117])
  }
}
