import Buffers
import GalleyTestSupport
import SeededRandom
import Testing

@testable import LayoutTables

/// Tests of the stream's messages. `Tests/Scripts/check-stream` compares their values with the tables.
@Suite struct BatchStreamTests {
  private static let end: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]

  /// The messages that were written, each as a whole.
  private final class Messages {
    var all: [[UInt8]] = []

    func stream(_ variants: Int, hasFrames: Bool = true) throws -> BatchStream {
      try BatchStream(
        (0..<variants).map { BatchStream.Variant(name: "w\($0)", scale: 2) }, types: (0..<20).map { "type\($0)" },
        hasFrames: hasFrames, version: "1"
      ) { [self] buffers in all.append(buffers.flatMap { Array($0) }) }
    }
  }

  private let messages = Messages()

  @Test func theSchemaIsWrittenBeforeAnyRow() throws {
    _ = try messages.stream(1)
    #expect(messages.all.count == 1 && messages.all[0].prefix(4) == [0xff, 0xff, 0xff, 0xff])
  }

  @Test func onlyAFinishedStreamHasItsEnd() throws {
    let stream = try messages.stream(1)
    try stream.take(rows: 10, seeds: [0])
    #expect(messages.all.count == 2 && !messages.all[1].suffix(8).elementsEqual(Self.end))
    try stream.finish()
    #expect(messages.all.last == Self.end)
  }

  @Test func everyRunOfRowsHasABatchForEachVariantAtOnce() throws {
    let stream = try messages.stream(2)
    for rows in [1, 7, 100] { try stream.take(rows: rows, seeds: [0, 1]) }
    #expect(messages.all.count == 1 + 3 * 2)
    #expect(stream.rows == 108)
  }

  @Test func runsWithoutRowsWriteNothing() throws {
    try messages.stream(1).take(rows: 0, seeds: [0])
    #expect(messages.all.count == 1)
  }

  @Test func messagesBeginAtMultiplesOfTheAlignment() throws {
    let stream = try messages.stream(2)
    for rows in 1..<40 { try stream.take(rows: rows, seeds: [rows, rows + 1]) }
    #expect(messages.all.allSatisfy { $0.count % Int(ArrowBody.alignment) == 0 })
  }

  @Test func manyRowsAreSeveralBatches() throws {
    try messages.stream(2).take(rows: BatchStream.maxRows * 2 + 1, seeds: [0, 3])
    #expect(messages.all.count == 1 + 3 * 2)
  }

  @Test func badRowsAndMissingGlyphsAreNoted() throws {
    let stream = try messages.stream(2)
    try stream.take(rows: 100, seeds: [0, 0])
    #expect(stream.variants.map(\.badRows) == [14, 14])
    #expect(stream.notes.badRows.map(\.row) == [6, 13, 20, 27, 34])
    #expect(stream.notes.missingGlyphs.rows == 17)
  }

  @Test func theFirstBadRowsOfAllVariantsAreListed() throws {
    let stream = try messages.stream(2)
    try stream.take(rows: 100, seeds: [1, 0])
    #expect(stream.notes.badRows.map(\.row) == [5, 6, 12, 13, 19])
  }

  /// A batch has at most 2 GiB of names. Those of the nodes are short here.
  @Test func oneLongNameDoesNotEndAStreamOfManyFrames() throws {
    let job = JobColumns()
    let name = [UInt8](repeating: UInt8(ascii: "u"), count: 1 << 20)
    name.withUnsafeBytes { _ = job.number(ofName: ByteString($0)) }
    job.appendRow(frames: 3000)
    try withExtendedLifetime(job) { try messages.stream(1).take([JobTable(job)]) }
    #expect(messages.all.count == 2)
  }

  /// Parts that follow each other have all values of the job, in order, and keep the limits where they can.
  @Test(arguments: 0..<40) func partsCoverTheJob(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let rows = Int(random.next() % 200)
    let bytes = JobTableTests.columns(rows: rows, seed: seed)
    let (frameLimit, rowLimit) = (1 + Int(random.next() % 30), 1 + Int(random.next() % 20))
    try bytes.withUnsafeBytes { bytes in
      let job = try JobTable(bytes, rows: rows, typeCount: 20)
      var part = JobPart(beginningOf: job)
      while part[.rows].upperBound < rows {
        let count = part.rowsThatFollow(frames: frameLimit, rows: rowLimit)
        let next = JobPart(after: part, rows: count)
        #expect(count >= 1 && count <= rowLimit && (count == 1 || next[.frames].count <= frameLimit))
        #expect(next[.rows].lowerBound == part[.rows].upperBound)
        #expect(next[.frames].lowerBound == part[.frames].upperBound)
        #expect(next[.resources].lowerBound == part[.resources].upperBound)
        #expect(next[.resources].allSatisfy { next[.rows].contains(Int(job.columns.resourceRow[$0])) })
        #expect(next[.resources].allSatisfy { next[.frames].contains(Int(job.columns.resourceFrame[$0])) })
        part = next
      }
      #expect(part[.frames].upperBound == job.frameCount && part[.resources].upperBound == job.resourceCount)
      #expect(part[.idBytes].upperBound == job.columns.idBytes.count)
      #expect(part[.errorBytes].upperBound == job.columns.errorBytes.count)
      #expect(part[.resourceURLBytes].upperBound == job.columns.resourceURLBytes.count)
    }
  }
}

extension BatchStream {
  /// Takes one job for each variant, with the rows that `JobTableTests` makes of a seed.
  func take(rows: Int, seeds: [Int]) throws {
    let jobs = seeds.map { OwnedBytes(copying: JobTableTests.columns(rows: rows, seed: $0)) }
    try withExtendedLifetime(jobs) { try take(jobs.map { try JobTable($0.bytes, rows: rows, typeCount: 20) }) }
  }
}
