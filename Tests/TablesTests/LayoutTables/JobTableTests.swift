import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import LayoutTables

/// Tests of the encoding of results: columns are read back as they were written, and malformed ones are refused.
@Suite struct JobTableTests {
  static func columns(rows: Int, seed: Int = 0) -> [UInt8] {
    let job = JobColumns()
    for row in 0..<rows {
      if (row + seed) % 7 == 6 {
        job.appendBadRow(id: "bad-\(row)", error: "line \(row): is bad")
        continue
      }
      let frames = (row + seed) % 4
      job.columns.width.append(100)
      job.columns.height.append(Float(row + seed) / 2)
      job.columns.frameCount.append(UInt32(frames))
      let cell = job.number(ofName: "Cell")
      job.columns.cell.append(cell)
      job.columns.idLength.append(2)
      job.columns.idBytes.append(contentsOf: ByteString("id").bytes)
      job.columns.errorLength.append(0)
      job.columns.missingGlyphs.append(row % 5 == 0 ? 2 : 0)
      if row % 5 == 0 {
        job.columns.missingRow.append(UInt32(row))
        job.columns.missingLength.append(4)
        job.columns.missingBytes.append(contentsOf: ByteString("\u{0628}\u{0629}").bytes)
      }
      for frame in 0..<frames {
        let node = job.number(ofName: frame == 0 ? "photo" : "text")
        job.columns.node.append(node)
        job.columns.type.append(UInt8(frame))
        job.columns.parent.append(Int32(frame) - 1)
        job.columns.frameRect.append(x: 1, y: 2, width: 3, height: 4)
        job.columns.lines.append(UInt16(frame))
        job.columns.truncated.append(frame == 1 ? 1 : 0)
      }
      if frames > 0 {
        job.columns.resourceRow.append(UInt32(row))
        job.columns.resourceFrame.append(UInt32(job.columns.node.count - frames))
        job.columns.resourceURLLength.append(1)
        job.columns.resourceURLBytes.append(UInt8(ascii: "u"))
      }
    }
    return OwnedBytes(job).withBytes { Array($0) }
  }

  static func isAccepted(_ bytes: [UInt8], rows: Int) -> Bool {
    bytes.withUnsafeBytes { (try? JobTable($0, rows: rows, typeCount: 20)) != nil }
  }

  @Test func writtenColumnsAreReadBack() throws {
    let bytes = Self.columns(rows: 20)
    try bytes.withUnsafeBytes { raw in
      let table = try JobTable(raw, rows: 20, typeCount: 20)
      #expect(table.rowCount == 20)
      #expect(table.columns.height[5] == 2.5)
      var errors: [String] = []
      table.forEachError { row, error in errors.append("\(row) \(error)") }
      #expect(errors == ["6 line 6: is bad", "13 line 13: is bad"])
      var missing = MissingGlyphSummary()
      missing.note(table, firstRow: 100)
      #expect(missing.rows == 4)
      #expect(missing.characters[0x628]?.rows == 4)
      #expect(missing.characters[0x629]?.firstRow == 100)
    }
  }

  /// Coordinators, workers and stored batches exchange these bytes.
  @Test(arguments: [(1, 296, 0xd4aa_ea6d_24aa_3cd4), (20, 1712, 0x10c8_fd12_2e00_88e8 as UInt64)])
  func theEncodingOfColumnsStaysTheSame(rows: Int, size: Int, hash: UInt64) {
    let bytes = Self.columns(rows: rows, seed: rows)
    #expect(bytes.count == size)
    // FNV-1a
    #expect(bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } == hash)
  }

  @Test func aWrongNumberOfRowsIsRefused() {
    #expect(!Self.isAccepted(Self.columns(rows: 20), rows: 19))
  }

  /// Such values would end the merge, or put a row where no list can show it.
  @Test(arguments: [Float.nan, .infinity, -.infinity, -100, 1e30]) func impossibleSizesAreRefused(value: Float) {
    let rows = 9
    let good = Self.columns(rows: rows)
    let sizes = 80..<80 + 4 * rows
    // Behind the header, widths come before heights.
    for column in [sizes.lowerBound, (sizes.upperBound + 7) / 8 * 8] {
      var bytes = good
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: column + 4 * 5, as: Float.self) }
      #expect(!Self.isAccepted(bytes, rows: rows))
    }
  }

  @Test func resourcesOfOtherFramesThanThoseOfTheirRowAreRefused() throws {
    func isAccepted(rows: [UInt32], frames: [UInt32]) -> Bool {
      let job = JobColumns()
      for _ in 0..<2 { job.appendRow(frames: 2) }
      for (row, frame) in zip(rows, frames) {
        job.columns.resourceRow.append(row)
        job.columns.resourceFrame.append(frame)
        job.columns.resourceURLLength.append(0)
      }
      return Self.isAccepted(OwnedBytes(job).withBytes { Array($0) }, rows: 2)
    }
    #expect(isAccepted(rows: [0, 0, 1], frames: [1, 1, 2]))
    #expect(!isAccepted(rows: [1], frames: [0]) && !isAccepted(rows: [0], frames: [2]))
    #expect(!isAccepted(rows: [1, 0], frames: [2, 0]) && !isAccepted(rows: [2], frames: [4]))
    // Readers find the resources of frames in the order of these.
    #expect(!isAccepted(rows: [0, 0], frames: [1, 0]))
  }

  /// One such string makes a whole table unreadable for pyarrow and polars, and responses of JSON for every reader.
  @Test(arguments: ["id", "Cell", "no font", "https://a/1", "ب"])
  func stringsThatAreNotUTF8AreRefused(string: String) throws {
    let job = JobColumns()
    job.appendRow(frames: 1)
    job.appendResource("https://a/1")
    job.appendBadRow(id: "id", error: "no font")
    job.columns.missingGlyphs[0] = 1
    job.columns.missingRow.append(0)
    job.columns.missingLength.append(2)
    job.columns.missingBytes.buffer.append("ب")
    #expect(job.flaw == nil)
    var bytes = OwnedBytes(job).withBytes { Array($0) }
    let offset = try #require(bytes.firstRange(of: Array(string.utf8))).lowerBound
    bytes[offset] = 0xff
    #expect(throws: JobTable.Malformed(reason: "a string that is not UTF-8")) {
      try bytes.withUnsafeBytes { _ = try JobTable($0, rows: 2, typeCount: 20) }
    }
  }

  @Test func aStringThatBeginsWithinACharacterIsRefused() {
    func flaw(lengths: [UInt32]) -> String? {
      let job = JobColumns()
      for (row, length) in lengths.enumerated() {
        job.appendRowWithoutFrames(width: 100)
        job.columns.idLength[row] = length
      }
      job.columns.idBytes.buffer.removeAll()
      job.columns.idBytes.buffer.append("aé🙂")
      return job.flaw
    }
    #expect(flaw(lengths: [1, 2, 4]) == nil && flaw(lengths: [0, 3, 0, 4, 0]) == nil)
    for lengths: [UInt32] in [[2, 1, 4], [3, 1, 3], [3, 3, 1], [2, 0, 5]] {
      #expect(flaw(lengths: lengths) == "a string that is not UTF-8", "\(lengths)")
    }
  }

  @Test func badRowsHaveNoSizeAndNoFrames() {
    let job = JobColumns()
    job.appendBadRow(id: "id", error: "no font")
    #expect(job.flaw == nil)
    for column in [job.columns.width, job.columns.height] {
      column[0] = 1
      #expect(job.flaw == "a bad row with a size or frames")
      column[0] = 0
    }
  }

  @Test func truncatedResultsAreRefused() {
    let bytes = Self.columns(rows: 9)
    for length in stride(from: 0, to: bytes.count, by: 3) {
      #expect(!Self.isAccepted(Array(bytes.prefix(length)), rows: 9))
    }
  }

  /// Bytes of a broken worker are refused or harmless: nothing reads beyond them.
  @Test func mutatedResultsNeverCrash() throws {
    let original = Self.columns(rows: 30)
    var state: UInt64 = 42
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0...random(3) { bytes[random(random(4) == 0 ? 64 : bytes.count)] = UInt8(random(256)) }
      bytes.withUnsafeBytes { raw in
        guard let table = try? JobTable(raw, rows: 30, typeCount: 20) else { return }
        accepted += 1
        table.forEachError { _, _ in }
      }
    }
    #expect(accepted > 0 && accepted < 20_000)
  }

  @Test func acceptedMutatedResultsCanBeMerged() throws {
    var mutator = Mutator(seed: 1, corpus: (0..<8).map { Self.columns(rows: 12, seed: $0) })
    let directory = Scratch()
    var accepted = 0
    for round in 0..<Mutator.count {
      let bytes = mutator.next()
      try bytes.withUnsafeBytes { raw in
        guard let table = try? JobTable(raw, rows: 12, typeCount: 20) else { return }
        accepted += 1
        table.forEachError { _, _ in }
        guard accepted % 50 == 1 else { return }
        let path = directory.path("t\(round)")
        let tables = try VariantTables(
          in: directory.directory, name: "t\(round)", types: Array(repeating: "t", count: 20), scale: 2,
          hasFrames: true,
          hasLines: false)
        try tables.append(table)
        try tables.finish()
        try FileManager.default.removeItem(atPath: path)
      }
    }
    #expect(accepted > 0)
  }
}

extension ByteString: ExpressibleByStringLiteral {
  public init(stringLiteral value: StaticString) { self.init(value) }
}
