import BatchLayout
import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import RowsFiles
import SeededRandom
import Synchronization
import Testing

@testable import IncrementalRuns

/// Tests of runs that take rows from the tables of an earlier run: they write the bytes of a run without one.
@Suite struct BaseRunTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"cells":{
      "Text":{"layout":{"type":"text","id":"t","text":"{t}","font":"body"}},
      "SameNames":{"layout":{"type":"overlay",
        "child":{"type":"image","id":"p","style":{"preferredSize":[48,48]}},
        "overlay":{"type":"networkImage","id":"p","url":"{t}","style":{"preferredSize":[48,48]}}}},
      "SimilarNames":{"layout":{"type":"stack","children":[
        {"type":"networkImage","id":"e\u0301","url":"{t}","style":{"preferredSize":[48,48]}},
        {"type":"networkImage","id":"\u00e9","url":"{t}","style":{"preferredSize":[48,48]}}]}},
      "Pictures":{"layout":{"type":"stack","direction":"vertical","spacing":3,"children":[
        {"type":"text","id":"t","text":"{t}","font":"body"},
        {"type":"networkImage","forEach":"urls","as":"url","id":"p","url":"{url}",
         "style":{"width":33.5,"height":20.25}}]}}}}
    """#

  private let scratch = Scratch()
  private let program: CellProgram
  private let variants = [Variant(width: 320), Variant(width: 390, textScale: 1.35, scale: 3)]

  init() throws { program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")]) }

  // MARK: Runs

  private struct Run {
    let directory: String
    let variants: [(name: String, checksums: [String: UInt64])]
    let hashesChecksum: UInt64
  }

  /// Lays out files of rows.
  ///
  /// - Parameter chunk: The number of bytes of rows in a job.
  private func run(_ files: [String], to name: String, base: BaseTables? = nil, chunk: Int = 500) throws -> Run {
    var paths: [String] = []
    for (index, file) in files.enumerated() { paths.append(try scratch.file("rows-\(index).jsonl", file)) }
    let layout = try JobLayout(program, variants: variants)
    let directory = scratch.path(name)
    let tables = try BatchTables(
      directory, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names)
    let rows = try RowsReader(paths)
    let baseRun = base.map { base in BaseRun(base, rows: rows) { variants, _ in try tables.take(variants) } }
    let source: any RowsSource = baseRun ?? rows
    while let chunk = try source.next(bytes: chunk, copy: { OwnedBytes(copying: $0) }) {
      let count = chunk.lines.withBytes {
        layout.layout(
          ByteString($0), firstLine: chunk.firstLine, firstRow: chunk.firstRow, file: chunk.file)
      }
      let columns = layout.encodedColumns()
      let results = try JobTable.checked(columns, rows: count)
      if let baseRun { try baseRun.take(results) } else { try tables.take(results) }
    }
    try baseRun?.finish()
    var checksums: [(name: String, checksums: [String: UInt64])] = []
    try tables.finish { summaries in
      checksums = summaries.map { ($0.name, $0.checksums) }
      return Array(#"{"format": 1, "version": "test"}"#.utf8)
    }
    return Run(directory: directory, variants: checksums, hashesChecksum: tables.hashesChecksum)
  }

  private func open(_ run: Run, maxCopiedBytes: Int = BaseTables.maxCopiedBytes) throws -> BaseTables {
    try BaseTables(
      run.directory, variants: run.variants, hashesChecksum: run.hashesChecksum, types: ElementType.names,
      maxCopiedBytes: maxCopiedBytes)
  }

  private func contents(_ run: Run) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for variant in variants.map(\.name) {
      for file in ["heights", "frames", "resources"] {
        contents["\(variant)/\(file)"] = try Data(
          contentsOf: URL(fileURLWithPath: "\(run.directory)/\(variant)/\(file).arrow"))
      }
    }
    contents["hashes"] = try Data(contentsOf: URL(fileURLWithPath: run.directory + "/hashes.arrow"))
    return contents
  }

  // MARK: Rows

  private func randomRow(_ number: Int, _ random: inout SplitMix) -> String {
    let words = (0..<random.below(20)).map { "word\($0 * number % 97)" }.joined(separator: " ")
    let id = random.below(3) == 0 ? "" : #""id":"\#(random.below(10) == 0 ? 7 : number)","#
    switch random.below(14) {
    case 12: return #"{\#(id)"cell":"SameNames","t":"u\#(number)"}"#
    case 13: return #"{\#(id)"cell":"SimilarNames","t":"u\#(number)"}"#
    case 0: return "{\(id)"
    case 1: return #"{\#(id)"cell":"Text"}"#
    case 2: return #"{\#(id)"cell":"Text","t":"\#(words) ଘ ꒳"}"#
    case 3...6:
      let urls = (0..<random.below(4)).map { #""https://img.example/\#($0 * number % 13).jpg""# }
      return #"{\#(id)"cell":"Pictures","t":"\#(words)","urls":[\#(urls.joined(separator: ","))]}"#
    default: return #"{\#(id)"cell":"Text","t":"\#(words)"}"#
    }
  }

  /// Returns rows of which some were inserted, removed, moved, changed, repeated or mended.
  private func edited(_ rows: [String], _ random: inout SplitMix) -> [String] {
    var edited = rows
    for _ in 0..<random.below(12) {
      let place = random.below(edited.count + 1)
      switch random.below(6) {
      case 0: edited.insert(randomRow(1000 + place, &random), at: place)
      case 1 where place < edited.count: edited.remove(at: place)
      case 2 where place < edited.count: edited.insert(edited.remove(at: place), at: random.below(edited.count))
      case 3 where place < edited.count: edited[place] = randomRow(2000 + place, &random)
      case 4 where place < edited.count: edited.insert(edited[place], at: random.below(edited.count))
      case 5 where place < edited.count && !edited[place].hasSuffix("}"): edited[place] = #"{"cell":"Text","t":""}"#
      default: edited.insert("", at: place)
      }
    }
    return random.below(6) == 0 ? edited.reversed() : edited
  }

  /// Returns the text of rows in one or two files, which may begin with a byte order mark.
  private func files(_ rows: [String], _ random: inout SplitMix) -> [String] {
    let cut = random.below(3) == 0 ? random.below(rows.count + 1) : rows.count
    return [rows[..<cut], rows[cut...]].filter { !$0.isEmpty }.map { part in
      let end = ["\n", "\n", "\r\n", "\r\r\n"][random.below(4)]
      return (random.below(4) == 0 ? "\u{feff}" : "") + part.map { $0 + end }.joined()
    }
  }

  // MARK: Tests

  @Test(arguments: 1...24)
  func aRunWithAnEarlierOneHasTheBytesOfARunWithout(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let rows = (0..<random.below(120)).map { randomRow($0, &random) }
    let old = try run(files(rows, &random) + [""], to: "old")
    let new = files(edited(rows, &random), &random) + [""]
    let expected = try contents(run(new, to: "expected"))
    let actual = try run(new, to: "actual", base: open(old), chunk: 1 + random.below(2000))
    #expect(try contents(actual) == expected)
    // The tables can be the base of the next run.
    #expect(try contents(run(new, to: "again", base: open(actual))) == expected)
  }

  @Test(arguments: [0, BaseTables.maxCopiedBytes])
  func rowsInAnotherOrderAreTakenFromTheFilesOrFromCopies(maxCopiedBytes: Int) throws {
    var random = SplitMix(seed: 7)
    let rows = (0..<1500).map { randomRow($0, &random) + "\n" }
    let old = try run([rows.joined()], to: "old")
    let new = [rows.reversed().joined()]
    let actual = try run(new, to: "actual", base: open(old, maxCopiedBytes: maxCopiedBytes))
    #expect(try contents(actual) == contents(run(new, to: "expected")))
  }

  @Test func equalRowsAreTakenOverExceptForThoseThatDependOnTheRun() throws {
    let good = (0..<2000).map { #"{"cell":"Text","t":"\#($0 / 2)"}"# }
    let rows = good + ["{", #"{"cell":"Text","t":"ଘ"}"#]
    let old = try run([rows.map { $0 + "\n" }.joined()], to: "old")
    let new = (["{}"] + rows.reversed()).map { $0 + "\n" }.joined()
    let path = try scratch.file("new.jsonl", new)
    let base = BaseRun(try open(old), rows: try RowsReader(path)) { _, _ in }
    var laidOut = 0
    while let chunk = try base.next(bytes: 1 << 20, copy: { OwnedBytes(copying: $0) }) {
      laidOut += Int(chunk.rows)
    }
    #expect(laidOut == 3)
  }

  @Test func aRunCanEndBeforeItsRowsAreRead() throws {
    let rows = (0..<1000).map { #"{"cell":"Text","t":"\#($0)"}"# + "\n" }.joined()
    let old = try open(run([rows], to: "old"))
    // The first chunk ends at the first row, which must be laid out.
    let path = try scratch.file("new.jsonl", "{\"t\":1}\n" + String(repeating: rows, count: 160))
    for _ in 0..<20 {
      let base = BaseRun(old, rows: try RowsReader(path)) { _, _ in }
      _ = try base.next(bytes: 1, copy: { OwnedBytes(copying: $0) })
      usleep(2000)
    }
  }

  /// An endless source of rows. No earlier run has them.
  private final class EndlessRows: RowsSource {
    let reads = Atomic<Int>(0)
    var contentSize: Int? { nil }
    var bytesRead: Int { 0 }
    var input: InputSummary { InputSummary(bytes: 0, hash: "") }

    func next(bytes: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes) throws(RowsError) -> RowsChunk<OwnedBytes>? {
      let number = UInt64(reads.add(1, ordering: .relaxed).newValue)
      usleep(1000)
      return RowsChunk(
        OwnedBytes(copying: Array("{\"n\":\(number)}\n".utf8)), firstLine: number, firstRow: number - 1, rows: 1,
        end: nil)
    }
  }

  @Test func aRunThatWasStoppedUsesItsRowsNoLonger() throws {
    let old = try open(run(["{\"cell\":\"Text\",\"t\":\"a\"}\n"], to: "old"))
    for reads in [0, 1, 20] {
      let rows = EndlessRows()
      let base = BaseRun(old, rows: rows) { _, _ in }
      for _ in 0..<reads { _ = try base.next(bytes: 1, copy: { OwnedBytes(copying: $0) }) }
      base.stop()
      let count = rows.reads.load(ordering: .relaxed)
      usleep(5000)
      #expect(rows.reads.load(ordering: .relaxed) == count)
    }
  }

  /// The coordinator ends a batch when it has the chunk that is the last one.
  @Test(arguments: [0, 1, 5000])
  func exactlyOneChunkIsTheLastOneWhateverIsLaidOut(changed: Int) throws {
    let rows = (0..<6000).map { #"{"cell":"Text","t":"\#($0)"}"# + "\n" }
    let old = try run([rows.joined()], to: "old")
    let new = rows.enumerated().map { $0.offset < changed ? "{\"t\":\($0.offset)}\n" : $0.element }
    let path = try scratch.file("new.jsonl", new.joined())
    let base = BaseRun(try open(old), rows: try RowsReader(path)) { _, _ in }
    var lasts: [Bool] = []
    while let chunk = try base.next(bytes: 1000, copy: { OwnedBytes(copying: $0) }) { lasts.append(chunk.isLast) }
    #expect(lasts.last == true)
    #expect(lasts.count { $0 } == 1)
  }

  @Test(arguments: ["w320/heights", "w320/frames", "w390-t1.35@3x/resources", "hashes"])
  func aFileWithOneChangedBitIsNotUsed(file: String) throws {
    let old = try run([(0..<50).map { #"{"cell":"Text","t":"\#($0)"}"# + "\n" }.joined()], to: "old")
    _ = try open(old)
    let url = URL(fileURLWithPath: "\(old.directory)/\(file).arrow")
    let whole = try Data(contentsOf: url)
    var random = SplitMix(seed: 5)
    for _ in 0..<40 {
      var damaged = whole
      damaged[random.below(whole.count)] ^= 1 << UInt8(random.below(8))
      try damaged.write(to: url)
      #expect(throws: (any Error).self) { _ = try open(old) }
    }
  }
}
