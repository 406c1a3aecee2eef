import Buffers
import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import RowsFiles

/// Tests of rows that are read by an index, against the rows of `Lines`.
@Suite struct RowsIndexTests {
  private let scratch = Scratch()

  /// Returns the rows of a file.
  private func rows(of content: [UInt8]) -> [[UInt8]] {
    content.withUnsafeBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var number: UInt64 = 1
      var rows: [[UInt8]] = []
      while let (line, _) = lines.next() {
        if let row = line.row(inLine: number) { rows.append(Array(row.bytes)) }
        number += 1
      }
      return rows
    }
  }

  private func randomContent(_ random: inout SplitMix, lines: Int) -> [UInt8] {
    var content: [UInt8] = random.below(3) == 0 ? [0xef, 0xbb, 0xbf] : []
    for line in 0..<lines {
      switch random.below(6) {
      case 0: content += Array(repeating: 0x20, count: random.below(4))
      case 1: content += Array("\t".utf8)
      default: content += Array(#"{"n":\#(line),"t":"\#(String(repeating: "x", count: random.below(90)))"}"#.utf8)
      }
      if line + 1 < lines || random.below(2) == 0 { content += random.below(3) == 0 ? [0x0d, 0x0a] : [0x0a] }
    }
    return content
  }

  @Test func rowsInBlocksOfAnySizeAreFound() {
    var random = SplitMix(seed: 1)
    for _ in 0..<200 {
      let content = randomContent(&random, lines: random.below(30))
      var scan = RowScan()
      var found: [Int] = []
      var start = 0
      while start < content.count {
        let end = min(start + 1 + random.below(40), content.count)
        content.withUnsafeBytes { found += scan.rows(in: UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        start = end
      }
      found += scan.lastRow()
      let expected = rows(of: content)
      #expect(found.count == expected.count)
      for (offset, row) in zip(found, expected) {
        // A byte order mark precedes the first row.
        let start = content[offset...].starts(with: [0xef, 0xbb, 0xbf]) ? offset + 3 : offset
        #expect(content[start...].starts(with: row))
      }
    }
  }

  @Test func anyRowsOfSeveralFilesAreRead() throws {
    var random = SplitMix(seed: 2)
    for _ in 0..<12 {
      let scratch = Scratch()
      let contents = (0..<1 + random.below(3)).map { _ in
        randomContent(&random, lines: random.below(400)) + Array("\n{".utf8)
      }
      let paths = try contents.enumerated().map { index, content in
        let isCompressed = random.below(2) == 0
        let path = scratch.path("\(index).jsonl")
        try Data(isCompressed ? Compression.gzip(content) : content).write(to: URL(fileURLWithPath: path))
        return path
      }
      let expected = contents.flatMap { rows(of: $0) }
      let index = try RowsIndex(paths)
      try index.build()
      #expect(index.rowCount == expected.count)
      for _ in 0..<20 {
        let first = random.below(expected.count)
        let end = first + random.below(expected.count + 5 - first)
        var read: [[UInt8]] = []
        try index.read(first..<end) { row, bytes in
          #expect(row == first + read.count)
          read.append(Array(bytes.bytes))
        }
        #expect(read == Array(expected[first..<min(end, expected.count)]))
      }
    }
  }

  /// A line with only a byte order mark is a bad row, except at the start of a file.
  @Test func aByteOrderMarkWithinAFileIsAPartOfItsRow() throws {
    let rows = (0..<200).map { $0 % RowsIndex.interval == 0 ? "\u{feff}" : "{\"n\":\($0)}" }
    let index = try RowsIndex([try scratch.file("rows.jsonl", rows.map { $0 + "\n" }.joined())])
    try index.build()
    for first in [63, 64, 65, 127, 190] {
      var read: [String] = []
      try index.read(first..<199) { _, row in read.append(row.string) }
      // The first line is blank.
      #expect(read == Array(rows[(first + 1)...]))
    }
  }

  @Test func aReaderWaitsForRowsThatAreNotFoundYet() throws {
    let path = try scratch.file("rows.jsonl", (0..<5000).map { "{\"n\":\($0)}\n" }.joined())
    let index = try RowsIndex([path])
    Thread.detachNewThread {
      usleep(20_000)
      try? index.build()
    }
    var rows: [String] = []
    try index.read(4990..<4992) { _, row in rows.append(row.string) }
    #expect(rows == ["{\"n\":4990}", "{\"n\":4991}"])
  }

  @Test func aFileThatIsTruncatedAfterItWasIndexedIsAnErrorThatNamesIt() throws {
    let path = try scratch.file("rows.jsonl", (0..<5000).map { "{\"n\":\($0)}\n" }.joined())
    let index = try RowsIndex([path])
    try index.build()
    truncate(path, 1000)
    try index.read(0..<2) { _, _ in }
    let error = #expect(throws: RowsError.self) { try index.read(4990..<4992) { _, _ in } }
    #expect(error?.name == path)
    #expect(error?.reason.hasPrefix("was truncated after it was opened: row 4990 is missing") == true)
  }

  @Test func aFileThatIsTruncatedBeforeItIsIndexedIsAnErrorThatNamesIt() throws {
    let path = try scratch.file("rows.jsonl", (0..<5000).map { "{\"n\":\($0)}\n" }.joined())
    let index = try RowsIndex([path])
    truncate(path, 1000)
    let error = #expect(throws: RowsError.self) { try index.build() }
    #expect(error?.name == path)
  }

  @Test func damagedCompressedRowsAreAnErrorForReaders() throws {
    let path = scratch.path("rows.jsonl.gz")
    let whole = Compression.gzip(Array((0..<9000).map { "{\"n\":\($0 * 7919)}\n" }.joined().utf8))
    try Data(whole.dropLast(20)).write(to: URL(fileURLWithPath: path))
    let index = try RowsIndex([path])
    #expect(throws: RowsError.self) { try index.build() }
    #expect(throws: RowsError.self) { try index.read(8999..<9000) { _, _ in } }
    #expect(index.rowCount == nil)
  }
}
