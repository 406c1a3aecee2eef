import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import LayoutTables

/// Tests of results as JSON objects.
@Suite struct RecordObjectsTests {
  private struct Frame: Decodable {
    let node: String
    let parent: Int
    let x, y, width, height: Float
    let lines: Int
    let truncated: Bool
  }

  private struct Resource: Decodable {
    let node, url, type: String
    let y: Float
  }

  private struct Row: Decodable {
    let variant: String
    let row: Int
    let id, cell: String
    let width, height: Float
    let error: String?
    let frames: [Frame]?
    let resources: [Resource]
    let missing_glyphs: Int
  }

  private static let types = (0..<20).map { "type\($0)" }

  /// Returns what is written for jobs of these numbers of rows in two variants.
  private func written(_ form: BatchStream.Form, jobs: [Int], hasFrames: Bool = true) throws -> String {
    var bytes: [UInt8] = []
    let stream = try BatchStream(
      [.init(name: "w320", scale: 2), .init(name: "w390", scale: 3)], types: Self.types, hasFrames: hasFrames,
      form: form, version: "1"
    ) { buffers in bytes += buffers.flatMap { Array($0) } }
    for rows in jobs { try stream.take(rows: rows, seeds: [1, 2]) }
    try stream.finish()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func eachRowAndVariantIsOneLineWithTheValuesOfTheColumns() throws {
    let rows = try written(.lines, jobs: [40, 25]).split(separator: "\n").map {
      try JSONDecoder().decode(Row.self, from: Data($0.utf8))
    }
    #expect(rows.count == 2 * 65)
    #expect(rows.map(\.row) == (0..<65).flatMap { [$0, $0] })
    #expect(rows.map(\.variant) == (0..<65).flatMap { _ in ["w320", "w390"] })
    let bytes = JobTableTests.columns(rows: 40, seed: 2)
    try bytes.withUnsafeBytes { bytes in
      let table = try JobTable(bytes, rows: 40, typeCount: Self.types.count)
      var (frame, error) = (0, 0)
      for index in 0..<40 {
        let row = rows[2 * index + 1]
        #expect(row.missing_glyphs == Int(table.columns.missingGlyphs[index]))
        #expect(row.height == table.columns.height[index] && row.width == table.columns.width[index])
        let length = Int(table.columns.errorLength[index])
        #expect(row.error == (length == 0 ? nil : table.columns.errorBytes.slice(error..<error + length).string))
        error += length
        #expect(row.frames?.count == Int(table.columns.frameCount[index]))
        for written in row.frames ?? [] {
          #expect(written.x == table.columns.frameRect.x[frame] && written.y == table.columns.frameRect.y[frame])
          #expect(
            written.width == table.columns.frameRect.width[frame] && written.lines == Int(table.columns.lines[frame]))
          #expect(written.parent == Int(table.columns.parent[frame]))
          #expect(written.truncated == (table.columns.truncated[frame] != 0))
          frame += 1
        }
      }
      #expect(
        rows.indices.filter { $0 % 2 == 1 && $0 < 80 }.reduce(0) { $0 + rows[$1].resources.count }
          == table.resourceCount)
    }
  }

  @Test func theArrayHasTheObjectsOfTheLines() throws {
    let lines = try written(.lines, jobs: [3, 4])
    let array = try written(.array, jobs: [3, 4])
    let list = "[" + lines.split(separator: "\n").joined(separator: "\n,") + "\n]\n"
    #expect(array == list)
    #expect(try written(.array, jobs: []) == "[]\n")
  }

  @Test func framesCanBeLeftOut() throws {
    #expect(try !written(.lines, jobs: [3], hasFrames: false).contains("frames"))
  }
}
