import Buffers
import Foundation
import SeededRandom
import TableFormats

@testable import LayoutTables

/// A list whose tables are written by the product's writer, in a directory that is removed with the value.
final class SampleList {
  struct Row: Equatable {
    var id: String
    var height: Float
    var frames: [Frame] = []
    /// The reason why the row is bad.
    var error: String?
    var cell = "Cell"
    var width: Float = 390
  }

  struct Frame: Equatable {
    var node: String
    var type: UInt8 = 0
    var parent: Int32 = -1
    var x: Float = 0
    var y: Float = 0
    var width: Float = 0
    var height: Float = 0
    var url: String?
    /// The number of lines, or nil for two lines of a text and none of another node.
    var lines: UInt16?
    /// Whether the node is a text that was cut, or nil if every text is.
    var isTruncated: Bool?
  }

  static let types = ["node", "text", "image"]
  let rows: [Row]
  /// The path of the directory of the run.
  let directory: String
  /// The path of the variant's directory.
  let path: String

  /// - Parameters:
  ///   - variant: The name of the variant.
  ///   - manifest: The text of manifest.json.
  ///   - types: The names of the types to which the frames refer.
  init(
    _ rows: [Row], variant: String = "w390", manifest: String = #"{"format": 1, "version": "test"}"#,
    types: [String] = types
  ) throws {
    self.rows = rows
    let directory =
      FileManager.default.temporaryDirectory.appendingPathComponent("galley-list-\(UUID().uuidString)").path
    self.directory = directory
    path = "\(directory)/\(variant)"
    let tables = try BatchTables(directory, variants: [(variant, 2)], types: types)
    // Jobs of a moderate size, so that writing a long list takes little memory.
    for first in stride(from: 0, to: rows.count, by: 10_000) {
      let part = rows[first..<min(first + 10_000, rows.count)]
      let columns = Self.columns(part)
      try withExtendedLifetime(columns) { try tables.take([JobTable(columns)]) }
    }
    try tables.finish { _ in Array(manifest.utf8) }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private static func columns(_ rows: ArraySlice<Row>) -> JobColumns {
    let job = JobColumns()
    for (index, row) in rows.enumerated() {
      if let error = row.error {
        var cell = row.cell
        cell.withUTF8 { job.appendBadRow(id: row.id, cell: ByteString(UnsafeRawBufferPointer($0)), error: error) }
        continue
      }
      job.columns.width.append(row.width)
      job.columns.height.append(row.height)
      job.columns.frameCount.append(UInt32(row.frames.count))
      job.columns.cell.append(number(of: row.cell, in: job))
      job.columns.idLength.append(UInt32(row.id.utf8.count))
      for byte in row.id.utf8 { job.columns.idBytes.append(byte) }
      job.columns.errorLength.append(0)
      job.columns.missingGlyphs.append(0)
      for frame in row.frames {
        if let url = frame.url {
          job.columns.resourceRow.append(UInt32(index))
          job.columns.resourceFrame.append(UInt32(job.columns.node.count))
          job.columns.resourceURLLength.append(UInt32(url.utf8.count))
          for byte in url.utf8 { job.columns.resourceURLBytes.append(byte) }
        }
        job.columns.node.append(number(of: frame.node, in: job))
        job.columns.type.append(frame.type)
        job.columns.parent.append(frame.parent)
        job.columns.frameRect.append(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
        job.columns.lines.append(frame.lines ?? (frame.type == 1 ? 2 : 0))
        job.columns.truncated.append(frame.isTruncated ?? (frame.type == 1) ? 1 : 0)
      }
    }
    return job
  }

  private static func number(of name: String, in job: JobColumns) -> UInt32 {
    var name = name
    return name.withUTF8 { utf8 in job.number(ofName: ByteString(UnsafeRawBufferPointer(utf8))) }
  }

  /// Returns rows with random heights, of which some are 0, with random frames and URLs, and with some bad rows.
  static func randomRows(_ count: Int, _ random: inout SplitMix, maxFrames: Int = 4) -> [Row] {
    (0..<count).map { row in
      if random.below(20) == 0 { return Row(id: "bad \(row)", height: 0, error: "line \(row + 1): it is bad") }
      let height = random.below(8) == 0 ? 0 : Float(random.below(400)) / 2
      let frames = (0..<random.below(maxFrames + 1)).map { frame in
        let type = UInt8(random.below(types.count))
        return Frame(
          node: "node \(frame)", type: type, parent: Int32(random.below(frame + 1)) - 1, x: Float(random.below(300)),
          y: Float(random.below(300)), width: Float(random.below(300)), height: Float(random.below(300)) / 2,
          url: type == 2 ? "https://img.example/\(random.below(count)).jpg" : nil)
      }
      return Row(id: "r\(row)", height: height, frames: frames)
    }
  }
}
