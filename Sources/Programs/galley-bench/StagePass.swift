import BatchLayout
import Buffers
import CellTemplates
import Foundation
import LayoutEngine
import LayoutTables

/// A pass of rows through all stages on this thread: from bytes to values, elements, frames and columns, and to files.
final class StagePass {
  enum Stage: String, CaseIterable {
    case read, bind, layOut, write
  }

  private static let chunkBytes = 256 << 10

  /// The bytes that the names and fonts of the program refer to.
  private let archive: OwnedBytes
  private let variants: [Variant]
  private let layout: JobLayout
  private let binder: RowBinder

  /// The times of a pass in seconds.
  struct Times {
    /// The time of each stage. The times of `bind` and `layOut` include the stages before them.
    var stages: [Stage: Double] = [:]
    /// The time until the files are on the disk.
    var synchronize = 0.0
    var columnBytes = 0
    var rows = 0

    /// The time of a stage without those before it.
    func own(_ stage: Stage) -> Double {
      let time = stages[stage] ?? 0
      switch stage {
      case .read, .write: return time
      case .bind: return time - (stages[.read] ?? 0)
      case .layOut: return time - (stages[.bind] ?? 0)
      }
    }

    /// The time of all stages.
    var total: Double { (stages[.layOut] ?? 0) + (stages[.write] ?? 0) + synchronize }
  }

  init(_ workload: StageWorkload, _ variants: [Variant]) throws {
    archive = workload.archive
    self.variants = variants
    let program = try workload.archive.withBytes { try CellProgram(ProgramArchive(ByteString($0))) }
    layout = try JobLayout(program, variants: variants)
    binder = RowBinder(program)
  }

  var cacheHitRate: Double { layout.cacheHitRate }

  /// Processes rows in all stages. Returns the times.
  func run(_ rows: [UInt8]) throws -> Times {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-stages-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let tables = try makeTables(directory)
    var times = Times()
    func time(_ stage: Stage, _ body: () throws -> Void) rethrows {
      times.stages[stage, default: 0] += try Self.time(body)
    }
    try forEachChunk(of: rows) { chunk in
      time(.read) { read(chunk) }
      time(.bind) { bind(chunk) }
      var columns: [OwnedBytes] = []
      time(.layOut) { columns = layOut(chunk) }
      times.columnBytes += columns.reduce(0) { $0 + $1.count }
      try time(.write) { try write(chunk, columns, to: tables) }
      times.rows += chunk.lines.count
    }
    times.synchronize += try Self.time { try tables.finish { _ in [] } }
    return times
  }

  /// A range of rows of about the size of a job.
  struct Chunk {
    var lines: [ByteString]
    var text: ByteString
    var firstRow: Int
  }

  func forEachChunk(of rows: [UInt8], _ body: (Chunk) throws -> Void) rethrows {
    try rows.withPadding { text in
      var lines = Lines(text)
      var chunk = Chunk(lines: [], text: text.slice(0, 0), firstRow: 0)
      while let (line, end) = lines.next() {
        chunk.lines.append(line)
        chunk.text.count = text.start + end - chunk.text.start
        guard chunk.text.count >= Self.chunkBytes || end == text.count else { continue }
        try body(chunk)
        chunk = Chunk(lines: [], text: text.slice(end, end), firstRow: chunk.firstRow + chunk.lines.count)
      }
    }
  }

  func makeTables(_ directory: URL) throws -> BatchTables {
    try BatchTables(
      directory.path, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names)
  }

  // MARK: Stages

  func read(_ chunk: Chunk) {
    for line in chunk.lines { try? binder.read(line) }
  }

  func bind(_ chunk: Chunk) {
    for line in chunk.lines {
      try? binder.read(line)
      try? binder.bind(variants[0].cut(binder.constrainedSize(variants[0].constrainedSize)))
    }
  }

  /// Returns the columns of each variant as a worker sends them.
  func layOut(_ chunk: Chunk) -> [OwnedBytes] {
    _ = layout.layout(chunk.text, firstLine: 1, firstRow: UInt64(chunk.firstRow))
    return layout.encodedColumns()
  }

  func write(_ chunk: Chunk, _ columns: [OwnedBytes], to tables: BatchTables) throws {
    try withExtendedLifetime(columns) { try tables.take(JobTable.checked(columns, rows: chunk.lines.count)) }
  }

  /// Returns the duration of a call in seconds.
  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let begin = ContinuousClock.now
    try body()
    return begin.duration(to: .now).microseconds / 1e6
  }
}
