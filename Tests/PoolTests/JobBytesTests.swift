import Testing

@testable import LayoutPool
@testable import ZeroMQ

@Suite struct JobBytesTests {
  private func whole(_ chunk: Frame, firstLine: UInt64, firstRow: UInt64, rows: UInt32) -> JobBytes {
    JobBytes(
      source: .memory(chunk), start: 0, count: chunk.count, firstLine: firstLine, firstRow: firstRow, rows: rows,
      isKept: true)
  }

  private func text(_ job: JobBytes) throws -> String {
    try job.load().withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func chunksAreCutAtLinesAndHalvedAtRows() throws {
    let lines = (0..<10).map { "{\"row\":\($0)}\n" }.joined() + "\n\n"
    let chunk = Frame(copying: Array(lines.utf8))
    let jobs = try #require(
      try whole(chunk, firstLine: 1, firstRow: 0, rows: 10).cut(jobBytes: 25))
    #expect(jobs.map(\.rows).reduce(0, +) == 10)
    #expect(try jobs.map(text).joined() == lines)
    #expect(jobs.filter { $0.rows > 0 }.map(\.firstRow) == [0, 3, 6, 9])
    let (first, second) = try #require(try jobs[0].halved())
    #expect(try text(first) + text(second) == text(jobs[0]))
    #expect(first.rows == 1 && second.rows == 2 && second.firstLine == 2 && second.firstRow == 1)
  }

  @Test func aChunkWithoutTheRowsItClaimsIsRefused() throws {
    let chunk = Frame(copying: Array("{}\n".utf8))
    #expect(try whole(chunk, firstLine: 1, firstRow: 0, rows: 2).cut(jobBytes: 10) == nil)
  }

  /// What is done was cut by other costs; it is found again as it was.
  @Test func rowsThatAreDoneAreCutAsTheyWere() throws {
    let chunk = Frame(copying: Array((0..<20).map { "{\"row\":\($0)}\n" }.joined().utf8))
    let done: [UInt64: UInt32] = [102: 3, 105: 1, 110: 7]
    let jobs = try #require(
      try whole(chunk, firstLine: 50, firstRow: 100, rows: 20).cut(jobBytes: 45) { done[$0] })
    for (row, rows) in done { #expect(jobs.first { $0.firstRow == row }?.rows == rows) }
    #expect(jobs.map(\.firstRow) == [100, 102, 105, 106, 110, 117])
  }
}
