import Testing

@testable import LayoutPool
@testable import ZeroMQ

@Suite struct JobBytesTests {
  private func text(_ job: JobBytes) throws -> String {
    try job.load().withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func chunksAreCutAtLinesAndHalvedAtRows() throws {
    let lines = (0..<10).map { "{\"row\":\($0)}\n" }.joined() + "\n\n"
    let chunk = Frame(copying: Array(lines.utf8))
    let jobs = try #require(
      JobBytes.cut(chunk, at: .memory(chunk), firstLine: 1, firstRow: 0, rows: 10, jobBytes: 25))
    #expect(jobs.map(\.rows).reduce(0, +) == 10)
    #expect(try jobs.map(text).joined() == lines)
    #expect(jobs.filter { $0.rows > 0 }.map(\.firstRow) == [0, 3, 6, 9])
    let (first, second) = try #require(try jobs[0].halved())
    #expect(try text(first) + text(second) == text(jobs[0]))
    #expect(first.rows == 1 && second.rows == 2 && second.firstLine == 2 && second.firstRow == 1)
  }

  @Test func aChunkWithoutTheRowsItClaimsIsRefused() {
    let chunk = Frame(copying: Array("{}\n".utf8))
    #expect(JobBytes.cut(chunk, at: .memory(chunk), firstLine: 1, firstRow: 0, rows: 2, jobBytes: 10) == nil)
  }

  /// What is done was cut by other costs; it is found again as it was.
  @Test func rowsThatAreDoneAreCutAsTheyWere() throws {
    let chunk = Frame(copying: Array((0..<20).map { "{\"row\":\($0)}\n" }.joined().utf8))
    let done: [UInt64: UInt32] = [102: 3, 105: 1, 110: 7]
    let jobs = try #require(
      JobBytes.cut(chunk, at: .memory(chunk), firstLine: 50, firstRow: 100, rows: 20, jobBytes: 45) { done[$0] })
    for (row, rows) in done { #expect(jobs.first { $0.firstRow == row }?.rows == rows) }
    #expect(jobs.map(\.firstRow) == [100, 102, 105, 106, 110, 117])
  }
}
