import CLinux
import Foundation
import LayoutTables
import SeededRandom
import Synchronization
import Testing

@testable import ListTables

/// Tests of tables that other processes truncate or overwrite while they are open: lookups return the values of the old or
/// of the new table, or an error that names the file.
@Suite struct ChangedTablesTests {
  /// The values of some rows.
  private struct Values: Equatable {
    var ids: [String] = []
    var frames: [[NodeFrame]] = []
    var resources: [[Resource]] = []

    init(_ tables: MappedTables, _ rows: [Int]) throws {
      for row in rows where row < tables.heights.rowCount {
        ids.append(try tables.heights.id(of: row))
        frames.append(try tables.frames(of: row))
        resources.append(try tables.resources(of: row))
      }
    }
  }

  /// A table file with the bytes of a list, which is changed in place.
  private struct File {
    let path: String
    let old, new: Data

    init(_ name: String, _ old: SampleList, _ new: SampleList) throws {
      path = "\(old.path)/\(name).arrow"
      self.old = try Data(contentsOf: URL(fileURLWithPath: path))
      self.new = try Data(contentsOf: URL(fileURLWithPath: "\(new.path)/\(name).arrow"))
    }

    /// Writes bytes at an offset, without replacing the file.
    func overwrite(_ bytes: Data, at offset: Int) throws {
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: bytes)
      try handle.close()
    }

    func restore() throws { try old.write(to: URL(fileURLWithPath: path)) }
  }

  /// A time after which a change has another time than the one before, by the clock of any file system.
  private static let tickMicroseconds: UInt32 = 12_000

  private func lists(_ random: inout SplitMix) throws -> (old: SampleList, new: SampleList) {
    (
      try SampleList(SampleList.randomRows(3000, &random)), try SampleList(SampleList.randomRows(3000, &random))
    )
  }

  @Test(arguments: ["frames", "resources"])
  func aTruncatedFileIsAnErrorThatNamesIt(name: String) throws {
    var random = SplitMix(seed: 1)
    let (old, new) = try lists(&random)
    let file = try File(name, old, new)
    let tables = try MappedTables(old.path)
    let row = try #require((0..<3000).last { try !tables.resources(of: $0).isEmpty })
    truncate(file.path, 5000)
    let error = #expect(throws: TableError.self) { _ = try Values(tables, [row]) }
    #expect(error?.path == file.path)
    #expect(error?.reason.hasPrefix("was changed while it was open; open the tables again") == true)
  }

  @Test(arguments: ["frames", "resources"])
  func anOverwrittenFileOfTheSameSizeIsAnErrorThatNamesIt(name: String) throws {
    var random = SplitMix(seed: 2)
    let (old, new) = try lists(&random)
    let file = try File(name, old, new)
    let tables = try MappedTables(old.path)
    usleep(Self.tickMicroseconds)
    try file.overwrite(file.old.prefix(1), at: 0)
    let row = try #require((0..<3000).first { !tables.resources.resources(of: $0..<$0 + 1).isEmpty })
    let error = #expect(throws: TableError.self) { _ = try Values(tables, [row]) }
    #expect(error?.path == file.path)
  }

  @Test func heightsRemainThoseOfTheOldTable() throws {
    var random = SplitMix(seed: 3)
    let (old, _) = try lists(&random)
    let heights = try Heights(old.path + "/heights.arrow")
    let expected = try (0..<3000).map { (try heights.id(of: $0), heights.offset(of: $0)) }
    truncate(heights.path, 0)
    for (row, (id, offset)) in expected.enumerated() {
      #expect(try heights.id(of: row) == id)
      #expect(heights.offset(of: row) == offset)
    }
  }

  @Test func aReplacedDirectoryDoesNotAffectOpenTables() throws {
    var random = SplitMix(seed: 4)
    let (old, new) = try lists(&random)
    let tables = try MappedTables(old.path)
    let expected = try Values(tables, Array(0..<3000))
    try FileManager.default.removeItem(atPath: old.path)
    try FileManager.default.moveItem(atPath: new.path, toPath: old.path)
    #expect(try Values(tables, Array(0..<3000)) == expected)
  }

  /// Files that are opened while `galley layout --force` replaces their directory could be of two runs.
  @Test func tablesAreOfOneRunWhileTheirDirectoryIsReplaced() throws {
    var random = SplitMix(seed: 6)
    let old = try SampleList(SampleList.randomRows(40, &random))
    let new = try SampleList(SampleList.randomRows(60, &random))
    let (oldPath, newPath) = (old.path, new.path)
    let rows = Array(0..<60)
    let expected = try [Values(MappedTables(oldPath), rows), Values(MappedTables(newPath), rows)]
    let isRead = Atomic(false)
    let replacing = Thread {
      while !isRead.load(ordering: .relaxed) {
        _ = galley_exchange(oldPath, newPath)
        usleep(2 * Self.tickMicroseconds)
      }
    }
    replacing.start()
    defer { isRead.store(true, ordering: .relaxed) }
    for _ in 0..<100 { #expect(try expected.contains(Values(MappedTables(oldPath), rows))) }
  }

  @Test func tablesThatChangeUnderAReaderAreErrorsOrRightValues() throws {
    var random = SplitMix(seed: 5)
    let (old, new) = try lists(&random)
    let files = try ["heights", "frames", "resources"].map { try File($0, old, new) }
    let rows = Array(0..<3000)
    let expected = try Values(MappedTables(old.path), rows)
    var errors = 0
    var right = 0
    for _ in 0..<40 {
      let tables = try MappedTables(old.path)
      let planner = PrefetchPlanner(tables)
      usleep(Self.tickMicroseconds)
      for _ in 0..<8 {
        try change(files[random.below(3)], &random)
        let row = random.below(3000)
        do {
          let values = try Values(tables, [row])
          #expect(values.ids == [expected.ids[row]])
          #expect(values.frames == [expected.frames[row]])
          #expect(values.resources == [expected.resources[row]])
          let query = PrefetchQuery(offset: random.unit() * tables.heights.contentHeight, viewport: 844)
          for resource in try planner.resources(of: planner.answer(query), for: query) {
            #expect(expected.resources[resource.row].contains { $0.url == resource.url })
          }
          right += 1
        } catch let error as TableError {
          #expect(files.contains { $0.path == error.path }, "\(error)")
          errors += 1
        }
      }
      for file in files { try file.restore() }
    }
    #expect(errors > 100 && right > 10, "\(errors) errors, \(right) right values")
  }

  /// Truncates a file, or overwrites it with another table, a part of it, or noise.
  private func change(_ file: File, _ random: inout SplitMix) throws {
    switch random.below(4) {
    case 0: truncate(file.path, off_t(random.below(file.old.count)))
    case 1: try file.overwrite(file.new, at: 0)
    case 2: try file.overwrite(file.new.prefix(random.below(file.new.count)), at: 0)
    default:
      let noise = Data((0..<64).map { _ in UInt8(random.below(256)) })
      try file.overwrite(noise, at: random.below(file.old.count))
    }
  }

  /// A file that is written at the same time may be damaged at any place, so that any value is possible.
  @Test func tablesThatChangeWhileTheyAreReadNeverEndTheProcess() throws {
    var random = SplitMix(seed: 6)
    let (old, new) = try lists(&random)
    let files = try ["heights", "frames", "resources"].map { try File($0, old, new) }
    let isDone = Atomic(false)
    let writer = Thread {
      var random = SplitMix(seed: 7)
      while !isDone.load(ordering: .relaxed) { try? change(files[random.below(3)], &random) }
    }
    writer.start()
    for round in 0..<100 {
      if round % 10 == 0 { for file in files { try file.restore() } }
      do { _ = try Values(MappedTables(old.path), (0..<50).map { _ in random.below(3000) }) } catch is TableError {}
    }
    isDone.store(true, ordering: .relaxed)
    while !writer.isFinished { usleep(1000) }
  }
}
