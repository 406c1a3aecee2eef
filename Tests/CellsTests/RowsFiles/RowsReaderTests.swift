import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import RowsFiles

/// Tests of the division of rows files into chunks.
@Suite struct RowsReaderTests {
  private func chunks(_ content: [UInt8], bytes: Int) throws -> [RowsChunk<OwnedBytes>] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("rows-\(UUID().uuidString)")
    try Data(content).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let reader = try RowsReader(file.path)
    var chunks: [RowsChunk<OwnedBytes>] = []
    while let chunk = try reader.next(bytes: bytes) { chunks.append(chunk) }
    return chunks
  }

  @Test(arguments: [1, 10, 64, 100_000])
  func chunksAreWholeLinesAndTogetherTheFile(bytes: Int) throws {
    let content = Array(
      (0..<500).map { "{\"n\":\($0)}\($0 % 5 == 0 ? "\r" : "")\n\($0 % 7 == 0 ? "\n" : "")" }.joined().utf8)
    let chunks = try chunks(content, bytes: bytes)
    #expect(chunks.flatMap { [UInt8]($0.lines.bytes) } == content)
    #expect(chunks.reduce(0) { $0 + Int($1.rows) } == 500)
    #expect(chunks.map(\.isLast) == Array(repeating: false, count: chunks.count - 1) + [true])
    for (chunk, next) in zip(chunks, chunks.dropFirst()) {
      #expect(chunk.lines.bytes.last == 0x0a)
      #expect(chunk.firstRow + UInt64(chunk.rows) == next.firstRow)
      #expect(chunk.firstLine + UInt64(chunk.lines.bytes.filter { $0 == 0x0a }.count) == next.firstLine)
    }
  }

  @Test func anOversizedLineIsShortened() throws {
    let long = [UInt8](repeating: 0x78, count: Lines.maxLength * 3)
    let chunks = try chunks(Array("{}\n".utf8) + long + Array("\n{}\n".utf8), bytes: 1000)
    let all = chunks.flatMap { [UInt8]($0.lines.bytes) }
    #expect(all.count <= Lines.maxLength + (128 << 10))
    #expect(chunks.reduce(0) { $0 + Int($1.rows) } == 3)
    #expect(all.suffix(4) == Array("\n{}\n".utf8)[...])
  }

  /// The newline of an oversized line may be at any offset of a read.
  @Test(arguments: [0, 1, 100, 4096, 300_000, 524_287, 524_288, 600_000])
  func allRowsAfterAnOversizedLineAreRead(beyond: Int) throws {
    let long = [UInt8](repeating: 0x78, count: Lines.maxLength + beyond)
    let rows = Array(String(repeating: "{}\n", count: 1000).utf8)
    let chunks = try chunks(rows + long + [0x0a] + rows + long + [0x0a] + rows, bytes: 512 << 10)
    #expect(chunks.reduce(0) { $0 + Int($1.rows) } == 3002)
  }

  /// The row is read with the blanks, or after what is kept of them.
  @Test(arguments: [100, 600_000]) func aRowBehindMoreBlanksThanARowMayHaveIsCounted(beyond: Int) throws {
    let blanks = [UInt8](repeating: 0x20, count: Lines.maxLength + beyond)
    let chunks = try chunks(Array("{}\n".utf8) + blanks + Array("{}\n{}".utf8), bytes: 512 << 10)
    #expect(chunks.reduce(0) { $0 + Int($1.rows) } == 3)
    var lengths: [Int] = []
    for chunk in chunks { chunk.forEachRow { row, _ in lengths.append(row.count) } }
    #expect(lengths.count == 3 && lengths[1] > Lines.maxLength)
  }

  /// Returns what a compressed file contains many times.
  private func bomb(_ line: [UInt8], bytes: Int) -> [UInt8] {
    let block = Compression.zstd(Array(repeatElement(line, count: (1 << 20) / line.count).joined()))
    return Array(repeatElement(block, count: bytes >> 20).joined())
  }

  @Test func aCompressedFileHasFewMoreBlankLinesThanRows() throws {
    let blank = [UInt8](repeating: 0x20, count: (64 << 10) - 1) + [0x0a]
    let error = #expect(throws: RowsError.self) {
      try chunks(Compression.zstd(Array("{}\n".utf8)) + bomb(blank, bytes: 34 << 20), bytes: 512 << 10)
    }
    #expect(error?.reason.contains("32 MiB more of blank lines than of rows") == true)
    #expect(try chunks(bomb(blank, bytes: 4 << 20), bytes: 512 << 10).count > 1)
  }

  @Test func aCompressedFileHasFewBytesBeyondTheLimitOfRows() {
    let error = #expect(throws: RowsError.self) {
      try chunks(bomb([UInt8](repeating: 0x78, count: 1 << 20), bytes: 280 << 20), bytes: 512 << 10)
    }
    #expect(error?.reason.contains("256 MiB more than a row may have") == true)
  }

  @Test func anEmptyFileHasOneEmptyChunk() throws {
    let chunks = try chunks([], bytes: 100)
    #expect(chunks.count == 1 && chunks[0].rows == 0 && chunks[0].isLast)
  }

  @Test func theErrorForAnUnreadableFileNamesIt() {
    #expect(throws: RowsError(name: "/no/such/rows", errno: ENOENT)) { try RowsReader("/no/such/rows") }
    #expect(throws: RowsError.self) { try RowsReader("/tmp") }
  }

  @Test func theErrorForANameThatIsNotUTF8SaysSo() {
    let path = String(decoding: [0x2f, 0xff], as: UTF8.self)
    let error = #expect(throws: RowsError.self) { try RowsReader(path) }
    #expect(error?.reason == "cannot be read: No such file or directory; rename the file if its name is not UTF-8")
  }
}
