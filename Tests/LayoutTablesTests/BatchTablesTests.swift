import Buffers
import Foundation
import Testing

@testable import LayoutTables

@Suite struct BatchTablesTests {
  private let types = (0..<20).map { "type\($0)" }

  private func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("galley-tables-\(UUID().uuidString)").path
  }

  /// Writes the same rows cut into jobs at the given places.
  private func write(cuts: [Int]) throws -> [String: Data] {
    let path = temporaryPath()
    let tables = try BatchTables(path, replacing: false, variants: [("w1", 2)], types: types)
    var first = 0
    for cut in cuts {
      let bytes = JobTableTests.columns(rows: cut - first, seed: first * 28)
      try bytes.withUnsafeBytes { _ = try tables.take(rows: cut - first, [$0]) }
      first = cut
    }
    try tables.finish { _ in Array("{}".utf8) }
    defer { try? FileManager.default.removeItem(atPath: path) }
    var files: [String: Data] = [:]
    for name in ["heights", "frames", "resources"] {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/w1/\(name).arrow"))
    }
    return files
  }

  @Test func tablesStartAndEndAsArrowFiles() throws {
    for file in try write(cuts: [10]).values {
      #expect(file.prefix(6) == Data("ARROW1".utf8))
      #expect(file.suffix(6) == Data("ARROW1".utf8))
    }
  }

  @Test func anExistingDirectoryIsRefused() throws {
    let path = temporaryPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: OutputError.self) {
      _ = try BatchTables(path, replacing: false, variants: [("w1", 2)], types: types)
    }
  }

  @Test func aDirectoryWithOtherFilesIsNeverReplaced() throws {
    let path = temporaryPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/thesis.txt"))
    #expect(throws: OutputError.self) {
      _ = try BatchTables(path, replacing: true, variants: [("w1", 2)], types: types)
    }
    #expect(FileManager.default.fileExists(atPath: path + "/thesis.txt"))
  }

  @Test func aDirectoryThatIsMoreThanTablesIsNoTables() throws {
    let path = temporaryPath()
    try FileManager.default.createDirectory(atPath: path + "/src", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for file in ["manifest.json", "src/index.js"] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
    }
    #expect(throws: OutputError.self) {
      _ = try BatchTables(path, replacing: true, variants: [("w1", 2)], types: types)
    }
  }

  @Test func aDirectoryThatAppearsDuringTheRunIsKept() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let tables = try BatchTables(path, replacing: false, variants: [("w1", 2)], types: types)
    try FileManager.default.createDirectory(atPath: path + "/precious", withIntermediateDirectories: true)
    #expect(throws: OutputError.self) { try tables.finish { _ in Array("{}".utf8) } }
    #expect(FileManager.default.fileExists(atPath: path + "/precious"))
  }

  @Test func anUnfinishedRunLeavesNothing() throws {
    let path = temporaryPath()
    do {
      let tables = try BatchTables(path, replacing: false, variants: [("w1", 2)], types: types)
      try JobTableTests.columns(rows: 3).withUnsafeBytes { _ = try tables.take(rows: 3, [$0]) }
    }
    let siblings = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
    #expect(!siblings.contains { path.hasSuffix($0) || $0.hasPrefix((path as NSString).lastPathComponent) })
  }

  @Test func replacingSwapsTheWholeRun() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    for variant in ["w1", "w2"] {
      let tables = try BatchTables(path, replacing: true, variants: [(variant, 2)], types: types)
      try tables.finish { _ in Array("{}".utf8) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["manifest.json", "w2"])
  }
}
