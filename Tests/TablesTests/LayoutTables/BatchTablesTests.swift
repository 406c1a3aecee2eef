import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import LayoutTables

@Suite struct BatchTablesTests {
  private let types = (0..<20).map { "type\($0)" }
  private let scratch = Scratch()
  private var path: String { scratch.path("tables") }

  @Test func tablesBeginAndEndAsArrowFiles() throws {
    let tables = try BatchTables(path, variants: [("w1", 2)], types: types)
    try JobTableTests.columns(rows: 10).withUnsafeBytes {
      try tables.take([JobTable($0, rows: 10, typeCount: 20)])
    }
    try tables.finish { _ in Array("{}".utf8) }
    for name in ["heights", "frames", "resources"] {
      let file = try Data(contentsOf: URL(fileURLWithPath: "\(path)/w1/\(name).arrow"))
      #expect(file.prefix(6) == Data("ARROW1".utf8))
      #expect(file.suffix(6) == Data("ARROW1".utf8))
    }
  }

  @Test func anExistingDirectoryIsRefused() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: OutputError.self) {
      _ = try BatchTables(path, variants: [("w1", 2)], types: types)
    }
  }

  /// A reader of manifests that are lists of variants.
  private static let reader: @Sendable ([UInt8]) -> [String]? = { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("variants:") ? text.dropFirst(9).split(separator: " ").map(String.init) : nil
  }

  private func makeRun(_ variants: [String]) throws {
    let tables = try BatchTables(path, replacing: Self.reader, variants: variants.map { ($0, 2) }, types: types)
    try tables.finish { _ in Array("variants:\(variants.joined(separator: " "))".utf8) }
  }

  /// Files that an earlier run has not written may be somebody's work.
  @Test(arguments: [
    "thesis.txt", "w1/notes.txt", "w1/precious.arrow", "w3/heights.arrow", "w1/old/heights.arrow", "manifest.json",
  ])
  func aDirectoryWithAnotherFileIsNeverReplaced(file: String) throws {
    try makeRun(["w1", "w2"])
    let url = URL(fileURLWithPath: "\(path)/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: url)
    let error = #expect(throws: OutputError.self) { try makeRun(["w1"]) }
    let parts = file.split(separator: "/")
    let named = parts.first == "w3" ? "w3" : parts.prefix(2).joined(separator: "/")
    #expect(error?.path == path)
    // Not every command that replaces a directory has an option --force, which the error must not name.
    #expect(
      error?.reason == "holds \(named), which is not of an earlier run, so that the directory is not replaced; "
        + "move \(named) away or choose another directory")
    #expect(try Data(contentsOf: url) == Data("{}".utf8))
  }

  @Test func aDirectoryWithoutAManifestIsNeverReplaced() throws {
    try FileManager.default.createDirectory(atPath: path + "/mydata", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/mydata/precious.arrow"))
    let error = #expect(throws: OutputError.self) { try makeRun(["w1"]) }
    #expect(error?.reason.hasPrefix("holds mydata, ") == true)
  }

  @Test func anEmptyDirectoryIsReplaced() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try makeRun(["w1"])
    #expect(FileManager.default.fileExists(atPath: path + "/w1/heights.arrow"))
  }

  @Test func aDirectoryThatAppearsDuringTheRunIsKept() throws {
    let tables = try BatchTables(path, variants: [("w1", 2)], types: types)
    try FileManager.default.createDirectory(atPath: path + "/precious", withIntermediateDirectories: true)
    #expect(throws: OutputError.self) { try tables.finish { _ in Array("{}".utf8) } }
    #expect(FileManager.default.fileExists(atPath: path + "/precious"))
  }

  @Test func anUnfinishedRunLeavesNoFiles() throws {
    do {
      let tables = try BatchTables(path, variants: [("w1", 2)], types: types)
      try JobTableTests.columns(rows: 3).withUnsafeBytes { try tables.take([JobTable($0, rows: 3, typeCount: 20)]) }
    }
    let siblings = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(!siblings.contains { path.hasSuffix($0) || $0.hasPrefix((path as NSString).lastPathComponent) })
  }

  @Test func aReplacedRunLosesAllItsVariants() throws {
    try makeRun(["w1", "w2"])
    let tables = try BatchTables(path, replacing: Self.reader, variants: [("w2", 2)], types: types)
    #expect(tables.replacedVariants == ["w1", "w2"])
    try tables.finish { _ in Array("variants:w2".utf8) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["hashes.arrow", "manifest.json", "w2"])
  }
}
