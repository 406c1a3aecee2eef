import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Tests the claims of the documentation of AsyncDisplayKit and Texture about layouts.
///
/// Each line of `layout-claims.jsonl` is one case of a claim: a row with what the layout of it must have, or the name of
/// the test that has the claim. Where the sources of Texture differ from their documentation, the sources count, and
/// `deviation` states the difference.
@Suite struct LayoutClaimsTests {
  private struct Claim: Decodable {
    let id: String
    /// The page of the documentation, as a path in Texture's repository.
    let source: String
    /// Nil for claims about the layout of a row.
    let test: String?
    let generation: Int?
    let expected: Expected?
  }

  /// What the layout of a row must have; nil is anything. Frames, lines and cuts are by the names of nodes.
  private struct Expected: Decodable {
    let size: [Double]?
    let frames: [String: [Double]]?
    /// The names of all nodes in their order.
    let nodes: [String]?
    let lines: [String: Int]?
    let truncated: [String: Bool]?
    let ascii: String?
    /// A part of the error.
    let error: String?
  }

  private static func claims() throws -> [(claim: Claim, line: Data)] {
    try Fixtures.lines("layout-claims.jsonl").map { (try JSONDecoder().decode(Claim.self, from: $0), $0) }
  }

  @Test(arguments: [(1, 103), (2, 273)])
  func everyRowHasWhatTheDocumentationClaims(generation: Int, rows: Int) throws {
    let layout = try JobLayout(
      Programs.compile(
        #"{"generation":\#(generation),"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{}}"#,
        faces: [Programs.face("Inter-Regular.otf")]), variants: [Variant(width: 390)])
    var found = 0
    for (claim, line) in try Self.claims() where claim.test == nil && claim.generation ?? 2 == generation {
      found += 1
      let expected = try #require(claim.expected, "\(claim.id) has neither expected nor test")
      let inspection = layout.inspect(Programs.row(Array(line)))
      #expect(differences(inspection, from: expected) == [], "\(claim.id) of \(claim.source)")
    }
    #expect(found == rows)
  }

  private func differences(_ inspection: CellInspection, from expected: Expected) -> [String] {
    let error = inspection.error?.description
    if let part = expected.error {
      return error?.contains(part) == true ? [] : ["error \(error ?? "none"), not \(part)"]
    }
    if let error { return ["error \(error)"] }
    var differences: [String] = []
    func compare<Value: Equatable>(_ what: String, _ value: Value?, _ expected: Value?) {
      if let expected, value != expected {
        differences.append("\(what) \(value.map { "\($0)" } ?? "none"), not \(expected)")
      }
    }
    let nodes = Dictionary(inspection.nodes.map { ($0.name, $0) }) { first, _ in first }
    compare("size", [inspection.size.width, inspection.size.height], expected.size)
    compare("nodes", inspection.nodes.map(\.name), expected.nodes)
    compare("drawing", inspection.asciiArt, expected.ascii)
    for (name, frame) in expected.frames ?? [:] {
      let rect = nodes[name]?.frame
      compare(name, rect.map { [$0.origin.x, $0.origin.y, $0.size.width, $0.size.height] }, frame)
    }
    for (name, lines) in expected.lines ?? [:] { compare("lines of \(name)", nodes[name]?.lines.count, lines) }
    for (name, cut) in expected.truncated ?? [:] { compare("truncation of \(name)", nodes[name]?.isTruncated, cut) }
    return differences
  }

  /// A claim about something other than the layout of a row names a test as `Suite.function`.
  @Test func everyTestThatHasAClaimExists() throws {
    var files: [String: URL] = [:]
    let tests = Fixtures.url("..").standardized
    let found = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    while let url = found?.nextObject() as? URL { files[url.lastPathComponent] = url }
    let named = try Self.claims().compactMap(\.claim.test)
    #expect(named.count == 46)
    for test in Set(named) {
      let parts = test.split(separator: ".")
      try #require(parts.count == 2, "\(test)")
      let file = try #require(files["\(parts[0]).swift"], "\(test)")
      #expect(try String(contentsOf: file, encoding: .utf8).contains("func \(parts[1])("), "\(test)")
    }
  }

  @Test func everyClaimHasANameOfItsOwn() throws {
    let ids = try Self.claims().map(\.claim.id)
    #expect(Set(ids).count == ids.count)
  }
}
