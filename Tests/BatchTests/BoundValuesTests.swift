import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import Testing

@testable import BatchLayout

/// Tests that replacing the constants of a layout by fields of the row changes no result.
@Suite struct BoundValuesTests {
  private static let fonts =
    #""fonts":{"body":{"face":0,"size":15,"lineHeight":20},"bold":{"face":0,"size":18},"small":{"face":0,"size":11,"letterSpacing":1}}"#
  private static let variants = [Variant(width: 390), Variant(width: 170, textScale: 1.35, scale: 3)]

  /// The number of random layouts, which `GALLEY_BOUND_LAYOUTS` changes.
  private static let layouts =
    ProcessInfo.processInfo.environment["GALLEY_BOUND_LAYOUTS"].flatMap { Int($0) } ?? 600

  private let face: ProgramArchive.Face
  private let inline: JobLayout

  init() throws {
    face = try Programs.face("Inter-Regular.otf")
    inline = try JobLayout(Programs.compile("{\(Self.fonts)}", faces: [face]), variants: Self.variants)
  }

  @Test func fixturesWithBindingsHaveTheFramesOfTheConstants() throws {
    var bound = 0
    for (number, line) in try (Fixtures.lines("texture-layouts.jsonl") + Fixtures.lines("random-layouts.jsonl"))
      .enumerated()
    {
      bound += try check(JSON(parsing: line), seed: UInt64(number))
    }
    #expect(bound > 10_000)
  }

  @Test func randomLayoutsWithBindingsHaveTheFramesOfTheConstants() throws {
    var cells = RandomCells(seed: 7)
    var bound = 0
    for number in 0..<Self.layouts {
      bound += try check(.object(["layout": cells.element(depth: 4)]), seed: UInt64(number))
    }
    print("bound values: \(bound) of \(Self.layouts) random layouts")
    #expect(bound > 3 * Self.layouts)
  }

  /// Compares a row's columns with those of the row with bindings, as an inline layout and as a cell class, and returns
  /// the number of values that were bound.
  private func check(_ row: JSON, seed: UInt64) throws -> Int {
    guard let layout = row["layout"], var members = row.object else { return 0 }
    members["id"] = .string("row")
    let constant = columns(of: .object(members), inline)
    let bound = BoundLayout(layout, seed: seed)
    members.merge(bound.fields) { _, new in new }
    members["layout"] = bound.layout
    let boundRow = JSON.object(members)
    let boundColumns = columns(of: boundRow, inline)
    try #require(boundColumns == constant, "seed \(seed): \(row.text) is not \(boundRow.text)")
    // The layout is a cell class, and the row has the fields.
    members["layout"] = nil
    let program = try Programs.compile(
      #"{\#(Self.fonts),"cells":{"A":{"layout":\#(bound.layout.text)}}}"#, faces: [face])
    let ofClass = columns(of: .object(members), try JobLayout(program, variants: Self.variants))
    try #require(
      ofClass == constant, "seed \(seed): \(row.text) is not \(bound.layout.text) of \(JSON.object(members).text)")
    return bound.count
  }

  /// Returns the columns of a row as one string for each variant.
  private func columns(of row: JSON, _ layout: JobLayout) -> [String] {
    let bytes = Array(row.text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return [] }
      _ = layout.layout(
        ByteString(start: start, count: buffer.count), firstLine: 1, firstRow: 0)
      return Self.variants.indices.map { variant in layout.withColumns(of: variant) { Self.describe($0) } }
    }
  }

  private static func describe(_ job: JobColumns) -> String {
    var text = "\(Array(job.columns.width.values)) \(Array(job.columns.height.values)) "
    text += job.columns.errorBytes.count == 0 ? "" : String(decoding: job.columns.errorBytes.values, as: UTF8.self)
    text += "\(job.columns.frameRect.all.map(\.values)) "
    text += "\(Array(job.columns.lines.values)) \(Array(job.columns.truncated.values)) "
    text += "\(Array(job.columns.type.values)) \(Array(job.columns.parent.values)) "
    return text + String(decoding: job.columns.resourceURLBytes.values, as: UTF8.self)
  }
}
