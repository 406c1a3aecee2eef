import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// A small file system for a test.
private final class SmallDisk {
  let path: String

  init(_ scratch: Scratch, kibibytes: Int) throws {
    path = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { throw Unmountable() }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path) } }

  struct Unmountable: Error {}

  /// Whether this process can mount a file system. Only root can, and in some containers root cannot.
  static let isPossible = (try? SmallDisk(Scratch(), kibibytes: 4)) != nil
}

/// Tests of runs and coordinators whose file system is full.
@Suite(.enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
struct FullDiskTests {
  private let scratch = Scratch()

  /// Returns arguments for rows of about 220 bytes.
  private func arguments(rows count: Int) throws -> [String] {
    let text = String(repeating: "word ", count: 40)
    let rows = try scratch.file(
      "rows-\(count).jsonl", (0..<count).map { #"{"text":"\#(text)","id":"\#($0)"}"# + "\n" }.joined())
    let cells = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {body: {family: Roboto, size: 15}}
      cells: {A: {layout: {type: text, id: text, text: "{text}", font: body}}}
      """)
    return [rows, "--cells", cells, "--width", "390"]
  }

  @Test(arguments: [[], ["--in-process"]])
  func aRunFailsOnAFullDiskAndRemovesItsTables(how: [String]) throws {
    let disk = try SmallDisk(scratch, kibibytes: 1024)
    let outcome = try Galley.run(
      ["layout"] + arguments(rows: 20_000) + ["--output", disk.path + "/tables"] + how)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains("galley: \(disk.path)/tables") && !outcome.errors.contains("partial")
        && outcome.errors.hasSuffix(": No space left on device\n"),
      "\(outcome.errors)")
    #expect(try disk.files.isEmpty)
  }

  @Test func aFileThatDoesNotFitIsNamedAsItWasGiven() throws {
    let disk = try SmallDisk(scratch, kibibytes: 64)
    let rows = disk.path + "/rows.jsonl"
    let outcome = try Galley.run(["demo", "--rows", "1000", "--output", scratch.path("demo"), "--keep-rows", rows])
    #expect(outcome.errors == "galley: \(rows): No space left on device\n" && outcome.code == 1)
    #expect(try disk.files.isEmpty)
  }

  @Test func keysThatDoNotFitLeaveNoFiles() throws {
    let disk = try SmallDisk(scratch, kibibytes: 4)
    let outcome = try Galley.run(["keys", disk.path + "/keys"])
    #expect(outcome.code == 1 && outcome.errors.hasSuffix("cannot be written: No space left on device\n"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: disk.path).sorted() == ["keys", "keys/allowed"])
  }

  /// At first no batch can be stored. Later small batches can. One that is larger than the free space waits for room.
  @Test func aCoordinatorContinuesWhenItsSpoolIsFull() throws {
    let disk = try SmallDisk(scratch, kibibytes: 4096)
    let pool = try Pool(scratch, ["--spool", disk.path + "/spool", "--workers", "1"])
    func arguments(rows: Int, _ output: String) throws -> [String] {
      try ["submit"] + self.arguments(rows: rows) + ["--output", scratch.path(output), "--connect", pool.endpoint]
    }
    let filler = disk.path + "/filler"
    #expect(Glibc.system("cat /dev/zero >'\(filler)' 2>/dev/null") != 0)
    let full = try Galley.run(arguments(rows: 10, "full"))
    #expect(full.code == 1 && full.errors.hasSuffix(": No space left on device\n"), "\(full.errors)")
    #expect(try !pool.state().accepting)
    try FileManager.default.removeItem(atPath: filler)
    try eventually { try pool.state().accepting }
    #expect(try Galley.run(arguments(rows: 10, "small")).code == 0)
    // The program of a batch that was stored stays, so that its room does not seem to be room for further batches.
    #expect(Glibc.system("cat /dev/zero >'\(filler)' 2>/dev/null") != 0)
    #expect(try Galley.run(arguments(rows: 10, "full")).code == 1)
    usleep(500_000)
    #expect(try !pool.state().accepting, "the coordinator has tried again twice")
    try FileManager.default.removeItem(atPath: filler)
    try eventually { try pool.state().accepting }
    let large = try pool.start(arguments(rows: 40_000, "large"))
    try eventually { large.errorsSoFar.contains("pauses the batch: ") }
    #expect(large.errorsSoFar.hasSuffix(".journal: No space left on device\n"), "\(large.errorsSoFar)")
    #expect(large.end().code == 143)
    #expect(try scratch.tables("full").isEmpty && scratch.tables("large").isEmpty)
    #expect(try Galley.run(arguments(rows: 10, "again")).code == 0)
    #expect(try scratch.tables("again") == scratch.tables("small"))
  }

  @Test func acceptedBatchesGoOnWhenAFullDiskHasRoomAgain() throws {
    let disk = try SmallDisk(scratch, kibibytes: 16 << 10)
    let pool = try Pool(scratch, ["--spool", disk.path + "/spool"])
    let arguments = try arguments(rows: 10_000)
    let expected = try Galley.run(["layout"] + arguments + ["--output", scratch.path("expected"), "--in-process"])
    #expect(expected.code == 0)
    let names = try (0..<2).map { _ in
      try Galley.run(["submit"] + arguments + ["--detach", "--connect", pool.endpoint]).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let filler = disk.path + "/filler"
    #expect(Glibc.system("cat /dev/zero >'\(filler)' 2>/dev/null") != 0)
    try pool.start(["worker", "--connect", pool.endpoint])
    try eventually { try pool.state().batches.count { $0.waiting.hasSuffix(": No space left on device") } == 2 }
    let log = pool.coordinator.errorsSoFar
    #expect(log.components(separatedBy: "No space left on device").count == 2, "it is logged once: \(log)")
    try FileManager.default.removeItem(atPath: filler)
    for name in names {
      try Galley.run(["fetch", name, "--output", scratch.path(name), "--connect", pool.endpoint]).expectSuccess()
      #expect(try scratch.tables(name) == scratch.tables("expected"))
    }
    #expect(pool.coordinator.errorsSoFar.contains("no batch is paused now; 2 were paused within "))
  }
}
