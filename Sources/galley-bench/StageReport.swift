import BatchLayout
import Buffers
import CellModels
import Foundation
import LayoutTables

/// The whole way of a row on one core, stage by stage: bytes to values, values to elements, elements to frames and
/// columns, columns to files.
enum StageReport {
  private static let rows = 40_000
  private static let chunk = 256 << 10

  static func print() throws {
    guard let program = GalleyProgram.find(for: "stages") else { return }
    let workloads = try StageWorkload.all(program, rows: rows)
    Swift.print(
      "\none core, a row                            read    bind  lay out       write    sync   in all    rows/s  text cache"
    )
    Swift.print(
      "                                           MB/s      ns       ns  MB/s    ns      ns       ns")
    for workload in workloads {
      for (name, variants) in variants {
        try measure(workload, name, variants)
      }
    }
  }

  private static let variants: [(String, [Variant])] = [
    ("", [Variant(width: 390)]),
    (", 5 widths", [320, 360, 375, 390, 430].map { Variant(width: $0) }),
    (", 3 text scales", [1, 1.35, 2].map { Variant(width: 390, textScale: $0) }),
  ]

  /// Seconds of each stage.
  private struct Times {
    var read = 0.0
    var bind = 0.0
    var layOut = 0.0
    /// Merged and handed to the system; and until they would survive its end.
    var write = 0.0
    var synchronize = 0.0
    var columnBytes = 0
    var rows = 0
  }

  private static func measure(_ workload: StageWorkload, _ suffix: String, _ variants: [Variant]) throws {
    let (times, hitRate) = try workload.archive.withBytes { archive in
      let program = try CellProgram(ProgramArchive(archive))
      let layout = try JobLayout(program, variants: variants)
      let binder = RowBinder(program)
      // Once to warm up, once to be measured.
      _ = try pass(workload, layout, binder, variants)
      return (try pass(workload, layout, binder, variants), layout.cacheHitRate)
    }
    let count = Double(times.rows)
    let layOut = times.layOut - times.bind
    let whole = times.layOut + times.write + times.synchronize
    let megabytes = Double(workload.rows.count) / 1e6
    Swift.print(
      (workload.name + suffix).padding(toLength: 38, withPad: " ", startingAt: 0),
      String(
        format: "%7.0f %7.0f %8.0f %5.0f %5.0f %7.0f %8.0f %9.0f %9.1f %%", megabytes / times.read,
        (times.bind - times.read) / count * 1e9, layOut / count * 1e9, Double(times.columnBytes) / 1e6 / times.write,
        times.write / count * 1e9, times.synchronize / count * 1e9, whole / count * 1e9, count / whole, hitRate * 100))
  }

  private static func pass(
    _ workload: StageWorkload, _ layout: JobLayout, _ binder: RowBinder, _ variants: [Variant]
  ) throws -> Times {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-stages-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let tables = try BatchTables(
      directory.path, replacing: false, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names)
    var times = Times()
    // The parser reads a little past a row.
    let padded = workload.rows + [UInt8](repeating: 0, count: JSONParser.padding)
    try padded.withUnsafeBytes { bytes in
      let text = ByteString(bytes)
      var lines = Lines(text.slice(0, workload.rows.count))
      var start = 0
      while start < workload.rows.count {
        var chunk: [ByteString] = []
        var end = start
        while end - start < self.chunk, let (line, next) = lines.next() {
          chunk.append(line)
          end = next
        }
        times.read += time { for line in chunk { try? binder.read(line) } }
        times.bind += time {
          for line in chunk {
            try? binder.read(line)
            try? binder.bind(binder.constrainedSize(variants[0].constrainedSize))
          }
        }
        times.layOut += time {
          _ = layout.layout(
            JobLayout.Job(lines: text.slice(start, end), firstLine: 1, firstRow: UInt64(times.rows)))
        }
        let columns = variants.indices.map { variant in
          layout.withColumns(of: variant) { columns in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: columns.encodedSize, alignment: 8)
            if let start = bytes.baseAddress { columns.write(to: start) }
            return UnsafeRawBufferPointer(bytes)
          }
        }
        defer { for column in columns { column.deallocate() } }
        times.columnBytes += columns.reduce(0) { $0 + $1.count }
        var failure: (any Error)?
        times.write += time {
          do { try tables.take(rows: chunk.count, columns) } catch { failure = error }
        }
        if let failure { throw failure }
        times.rows += chunk.count
        start = end
      }
    }
    times.synchronize += time { try? tables.finish { _ in [] } }
    return times
  }

  /// Seconds.
  private static func time(_ body: () -> Void) -> Double {
    let begin = ContinuousClock.now
    body()
    return begin.duration(to: .now).microseconds / 1e6
  }
}
