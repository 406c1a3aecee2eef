import Buffers
import Foundation
import SeededRandom
import Testing

@testable import RowsFiles

/// Tests of a reader that returns lines as soon as no more input is waiting.
@Suite struct InteractiveRowsTests {
  /// A pipe from which rows are read while they are written.
  private struct Input {
    let pipe = Pipe()

    var path: String { "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)" }

    func write(_ text: String) { pipe.fileHandleForWriting.write(Data(text.utf8)) }

    func end() throws { try pipe.fileHandleForWriting.close() }
  }

  private func text(_ chunk: RowsChunk<OwnedBytes>?) -> String? {
    chunk.map { $0.lines.withBytes { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func linesAreReturnedAlthoughTheNextOneIsNotComplete() throws {
    let input = Input()
    input.write("{\"a\":1}\n{\"a\"")
    let reader = try RowsReader([input.path], isInteractive: true)
    #expect(text(try reader.next(bytes: 1 << 20)) == "{\"a\":1}\n")
    #expect(text(try reader.next(bytes: 1 << 20)) == "")
    #expect(reader.awaitedDescriptor != nil)
    input.write(":2}\n")
    let chunk = try #require(try reader.next(bytes: 1 << 20))
    #expect(text(chunk) == "{\"a\":2}\n" && chunk.firstLine == 2 && chunk.firstRow == 1 && !chunk.isLast)
    try input.end()
    let last = try #require(try reader.next(bytes: 1 << 20))
    #expect(last.isLast && last.rows == 0)
    #expect(try reader.next(bytes: 1 << 20) == nil && reader.awaitedDescriptor == nil)
  }

  @Test func aRegularFileIsNotAwaited() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try Data("{}\n{}\n".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let reader = try RowsReader([path], isInteractive: true)
    #expect(reader.awaitedDescriptor == nil)
    #expect(try reader.next(bytes: 1 << 20)?.isLast == true)
  }

  /// Rows that are written in pieces of any size are the same lines and numbers as those of a file.
  @Test(arguments: 0..<20) func piecesOfAnySizeAreTheSameRows(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var content = "{\"first\":0}\n"
    for row in 0..<Int(random.next() % 60) {
      switch random.next() % 4 {
      case 0: content += "\n"
      case 1: content += "  \r\n"
      default: content += "{\"row\":\(row),\"text\":\"\(String(repeating: "é", count: Int(random.next() % 40)))\"}\n"
      }
    }
    if random.next() % 2 == 0 { content += "{\"last\":1}" }
    let input = Input()
    var rest = Array(content.utf8)[...]
    func writeSome() throws {
      guard !rest.isEmpty else { return try input.end() }
      let piece = rest.prefix(1 + Int(random.next() % 50))
      rest = rest.dropFirst(piece.count)
      input.pipe.fileHandleForWriting.write(Data(piece))
    }
    try writeSome()
    let reader = try RowsReader([input.path], isInteractive: true)
    var (all, rows, line) = ("", UInt64(0), UInt64(1))
    while let chunk = try reader.next(bytes: 64 + Int(random.next() % 200)) {
      let part = try #require(text(chunk))
      #expect(chunk.firstRow == rows && chunk.firstLine == line)
      #expect(part.isEmpty || part.utf8.last == 0x0a || chunk.isLast)
      all += part
      rows += UInt64(chunk.rows)
      line += UInt64(part.utf8.count { $0 == 0x0a })
      if chunk.isLast { break }
      if reader.awaitedDescriptor != nil { try writeSome() }
    }
    #expect(all == content)
    #expect(rows == UInt64(content.split(whereSeparator: \.isNewline).count { $0.contains("{") }))
  }
}
