import Buffers
import Foundation
import ListTables
import SeededRandom
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of mapped tables: they have what was written, and files that are not whole are errors.
@Suite struct MappedTablesTests {
  @Test func mappedTablesHaveTheRowsFramesAndResourcesThatWereWritten() throws {
    var random = SplitMix(seed: 1)
    let list = try SampleList(SampleList.randomRows(300, &random))
    let tables = try MappedTables(list.path)
    #expect(tables.heights.rowCount == 300)
    var y = 0.0
    for (index, row) in list.rows.enumerated() {
      #expect(try tables.heights.id(of: index) == row.id)
      #expect(tables.heights.height(of: index) == row.height)
      #expect(tables.heights.offset(of: index) == y)
      #expect(try tables.heights.error(of: index) == row.error)
      #expect(tables.heights.isBad(index) == (row.error != nil))
      let frames = try tables.frames(of: index)
      #expect(frames.map(\.node) == row.frames.map(\.node))
      #expect(frames.map(\.parent) == row.frames.map { Int($0.parent) })
      #expect(frames.map(\.type) == row.frames.map { SampleList.types[Int($0.type)] })
      #expect(frames.map { [$0.x, $0.y] } == row.frames.map { [$0.x, $0.y] })
      #expect(frames.map { [$0.width, $0.height] } == row.frames.map { [$0.width, $0.height] })
      #expect(frames.map(\.isTruncated) == row.frames.map { $0.type == 1 })
      let resources = try tables.resources(of: index)
      let shown = row.frames.filter { $0.url != nil }
      #expect(resources.map(\.url) == shown.map(\.url))
      #expect(resources.map(\.row) == shown.map { _ in index })
      #expect(resources.map(\.height) == shown.map(\.height))
      #expect(resources.map(\.pixelHeight) == shown.map { Int($0.height * 2) })
      #expect(resources.map(\.y) == shown.map { y + Double($0.y) })
      y += Double(row.height)
    }
    #expect(tables.heights.contentHeight == y)
    #expect(tables.heights.offset(of: 300) == y)
  }

  @Test func aListWithoutRowsIsEmpty() throws {
    let list = try SampleList([])
    let tables = try MappedTables(list.path)
    #expect(tables.heights.rowCount == 0)
    #expect(tables.heights.contentHeight == 0)
    #expect(tables.heights.row(at: 0) == nil)
    #expect(tables.heights.rows(overlapping: -10, 10) == 0..<0)
    #expect(tables.resources.resources(of: 0..<0).isEmpty)
  }

  /// Rows in several batches: a batch of heights has 65,536 rows, one of frames 262,144 records.
  @Test func rowsOfAllBatchesAreFound() throws {
    let frame = SampleList.Frame(node: "a", type: 2, width: 10, height: 20, url: "u")
    let rows = (0..<140_000).map {
      SampleList.Row(id: "\($0)", height: 2, frames: [frame, .init(node: "b", y: Float($0 % 100))])
    }
    let list = try SampleList(rows)
    let tables = try MappedTables(list.path)
    for row in [0, 65_535, 65_536, 131_071, 131_072, 139_999] {
      #expect(try tables.heights.id(of: row) == "\(row)")
      #expect(tables.heights.offset(of: row) == Double(row) * 2)
      #expect(tables.heights.row(at: Double(row) * 2 + 1) == row)
      #expect(try tables.frames(of: row).map(\.y) == [0, Float(row % 100)])
      #expect(try tables.resources(of: row).map(\.row) == [row])
    }
    #expect(tables.heights.rows(overlapping: 131_071, 131_073) == 65_535..<65_537)
    #expect(tables.resources.resources(of: 65_000..<66_000) == 65_000..<66_000)
  }

  @Test func rowsAtOffsetsEqualThoseOfANaiveSearch() throws {
    var random = SplitMix(seed: 2)
    for count in [1, 2, 7, 60] {
      let list = try SampleList(SampleList.randomRows(count, &random, maxFrames: 0))
      let heights = try Heights(list.path + "/heights.arrow")
      var tops: [Double] = []
      var y = 0.0
      for row in list.rows {
        tops.append(y)
        y += Double(row.height)
      }
      for _ in 0..<2000 {
        let lower = (random.unit() * 1.4 - 0.2) * y
        let upper = random.below(10) == 0 ? lower : lower + random.unit() * y
        let bounds = random.below(2) == 0 ? (lower, upper) : (lower.rounded(), upper.rounded())
        let overlapping = tops.indices.filter { row in
          min(tops[row] + Double(list.rows[row].height), bounds.1) > max(tops[row], bounds.0)
        }
        let below = tops.indices.first { row in
          list.rows[row].height > 0 && tops[row] + Double(list.rows[row].height) > bounds.0
        }
        let first = below ?? count
        let expected = overlapping.isEmpty ? first..<first : overlapping[0]..<overlapping[overlapping.count - 1] + 1
        #expect(heights.rows(overlapping: bounds.0, bounds.1) == expected)
        #expect(heights.row(at: bounds.0) == below)
      }
    }
  }

  /// Programs other than Galley may write them.
  @Test func batchesWithoutRowsAreNotSearched() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("galley-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = try ArrowFileWriter(creating: path, ArrowSchema([ArrowField(name: "n", type: .uint64)]))
    for count in [0, 3, 0, 2, 0] {
      try (0..<count).map { UInt64($0) }.withUnsafeBytes { try writer.write(rows: count, [ArrowColumn($0)]) }
    }
    try writer.finish(metadata: [])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try ArrowFileReader(size: bytes.count) { OwnedBytes(copying: Array(bytes[$0])) }
    #expect(file.batches.map(\.rowCount) == [3, 2])
  }

  // MARK: Files that are not whole

  @Test func aFileThatWasCopiedInPartIsAnError() throws {
    var random = SplitMix(seed: 3)
    let list = try SampleList(SampleList.randomRows(20, &random))
    for name in ["heights", "frames", "resources"] {
      let path = "\(list.path)/\(name).arrow"
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for count in Array(stride(from: 0, to: whole.count, by: 17)) + (whole.count - 40..<whole.count) {
        try whole.prefix(count).write(to: URL(fileURLWithPath: path))
        #expect(throws: TableError.self, "\(name) with \(count) of \(whole.count) bytes") {
          _ = try MappedTables(list.path)
        }
      }
      try whole.write(to: URL(fileURLWithPath: path))
    }
    _ = try MappedTables(list.path)
  }

  @Test func aHeightThatIsNoLengthAndAnOffsetThatIsNoSumAreErrors() throws {
    let heights: [Float] = [1.25, 0, 2.5, 77]
    let list = try SampleList(heights.map { .init(id: "\($0)", height: $0) })
    let path = list.path + "/heights.arrow"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    func expect<Number>(_ numbers: [Number], replacedBy others: [Number], _ message: String) throws {
      func bytes(_ numbers: [Number]) -> Data { numbers.withUnsafeBytes { Data($0) } }
      var changed = whole
      changed.replaceSubrange(try #require(whole.range(of: bytes(numbers))), with: bytes(others))
      try changed.write(to: URL(fileURLWithPath: path))
      #expect { _ = try Heights(path) } throws: { "\($0)".hasPrefix("\(path): \(message); the file is damaged") }
    }
    for damage in [-1, .infinity, .nan] as [Float] {
      try expect(heights, replacedBy: [1.25, 0, 2.5, damage], "the height of its row 3 is \(damage)")
      try expect(heights, replacedBy: [1.25, damage, 2.5, 77], "the height of its row 1 is \(damage)")
    }
    let tops = [0, 1.25, 1.25, 3.75]
    try expect(heights, replacedBy: [1.25, 0, 3, 77], "its row 3 is at 3.75, but the heights above add up to 4.25")
    try expect(tops, replacedBy: [1, 2.25, 2.25, 4.75], "its row 0 is at 1.0, but the heights above add up to 0.0")
    try expect(tops, replacedBy: [0, 1.25, .nan, 3.75], "its row 2 is at nan, but the heights above add up to 1.25")
  }

  @Test func changedBytesAreErrorsOrValuesButNeverEndTheProcess() throws {
    var random = SplitMix(seed: 4)
    let list = try SampleList(SampleList.randomRows(30, &random))
    var refused = 0
    for name in ["heights", "frames", "resources"] {
      let path = "\(list.path)/\(name).arrow"
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for _ in 0..<600 {
        var changed = whole
        for _ in 0...random.below(4) { changed[random.below(whole.count)] = UInt8(random.below(256)) }
        try changed.write(to: URL(fileURLWithPath: path))
        do { try readEverything(list.path) } catch { refused += 1 }
      }
      try whole.write(to: URL(fileURLWithPath: path))
    }
    #expect(refused > 100)
  }

  private func readEverything(_ path: String) throws {
    let tables = try MappedTables(path)
    for row in 0..<min(tables.heights.rowCount, 1000) {
      _ = try tables.heights.id(of: row)
      _ = try tables.heights.error(of: row)
      _ = try tables.heights.cellIndex(of: row)
      _ = tables.heights.row(at: tables.heights.offset(of: row))
      _ = try tables.frames(of: row)
      _ = try tables.resources(of: row)
    }
    _ = tables.heights.rows(overlapping: 0, 1000)
  }

  @Test func tablesOfDifferentRunsAreAnError() throws {
    let frame = SampleList.Frame(node: "a", type: 2, url: "u")
    let one = try SampleList([.init(id: "1", height: 1, frames: [frame])])
    let two = try SampleList([.init(id: "1", height: 1), .init(id: "2", height: 1, frames: [frame, frame])])
    // The frames of this run differ in their content alone.
    let three = try SampleList([.init(id: "1", height: 1, frames: [.init(node: "b", type: 2, url: "u")])])
    for (name, other) in [("frames.arrow", two), ("resources.arrow", two), ("frames.arrow", three)] {
      let own = try Data(contentsOf: URL(fileURLWithPath: "\(one.path)/\(name)"))
      let foreign = try Data(contentsOf: URL(fileURLWithPath: "\(other.path)/\(name)"))
      try foreign.write(to: URL(fileURLWithPath: "\(one.path)/\(name)"))
      #expect { _ = try MappedTables(one.path) } throws: {
        "\($0)".contains("heights.arrow and \(name) are of different runs")
      }
      try own.write(to: URL(fileURLWithPath: "\(one.path)/\(name)"))
    }
  }

  // MARK: Directories

  @Test func aDirectoryWithoutTablesNamesWhatToGive() throws {
    let list = try SampleList([.init(id: "1", height: 1)])
    #expect { _ = try MappedTables(list.directory) } throws: {
      "\($0)" == "\(list.directory): has no tables of its own; give one of its variants w390, such as \(list.path)"
    }
    #expect { _ = try MappedTables(list.directory + "/w500") } throws: {
      "\($0)" == "\(list.directory)/w500: does not exist; \(list.directory) has the variants w390"
    }
    #expect { _ = try MappedTables(FileManager.default.temporaryDirectory.path) } throws: {
      "\($0)".contains("has no tables; give the directory of a variant")
    }
    #expect { _ = try MappedTables(list.path + "/heights.arrow") } throws: {
      "\($0)".contains("heights.arrow: is not a directory; give the directory of a variant")
    }
  }

  @Test func aManifestThatWasCopiedInPartIsAnError() throws {
    let list = try SampleList([.init(id: "1", height: 1)], manifest: #"{"format": 1"#)
    #expect { _ = try MappedTables(list.path) } throws: {
      "\($0)".contains("manifest.json: is not a manifest of Galley")
    }
  }

  @Test func tablesBesideTheManifestOfAnotherProgramAreRead() throws {
    let list = try SampleList([.init(id: "1", height: 1)], manifest: #"{"name": "App", "icons": []}"#)
    #expect(try MappedTables(list.path).heights.rowCount == 1)
  }

  @Test func tablesOfAnotherFormatNameTheVersionThatWroteThem() throws {
    let list = try SampleList([.init(id: "1", height: 1)], manifest: #"{"format": 7, "version": "9.1.0"}"#)
    #expect { _ = try MappedTables(list.path) } throws: {
      "\($0)".contains("was written by Galley 9.1.0 in format 7, and this version reads format 1")
    }
  }

  @Test func aFileWithOtherColumnsIsOfAnotherProgram() throws {
    let list = try SampleList([.init(id: "1", height: 1)])
    let frames = try Data(contentsOf: URL(fileURLWithPath: list.path + "/frames.arrow"))
    try frames.write(to: URL(fileURLWithPath: list.path + "/heights.arrow"))
    #expect { _ = try MappedTables(list.path) } throws: { "\($0)".contains("has no column \"id\"") }
    try Data("not a table, but long enough to be mapped into memory, as tables are".utf8)
      .write(to: URL(fileURLWithPath: list.path + "/heights.arrow"))
    #expect { _ = try MappedTables(list.path) } throws: { "\($0)".contains("it is not an Arrow file") }
  }
}
