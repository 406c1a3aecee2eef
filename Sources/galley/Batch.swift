import ArgumentParser
import BatchLayout
import Buffers
import CellModels
import CellsFile
import Foundation
import LayoutPool
import LayoutTables
import ZeroMQ

/// One run of the main job: rows and a cells file to a directory of tables, whoever does the laying out.
final class Batch {
  let program: Frame
  private var programHash: [UInt8] = []
  let variants: [Variant]
  let rows: RowsReader
  let tables: BatchTables
  let strict: Bool
  private let begin = ContinuousClock.now
  private let progress: Progress
  private var tallest = TallestRows()

  init(
    cells: CellsFile, variants: [Variant], rows: RowsReader, output: String, replacing: Bool, strict: Bool, quiet: Bool
  ) throws {
    program = Frame(copying: cells.archive)
    self.variants = variants
    self.rows = rows
    self.strict = strict
    tables = try BatchTables(
      output, replacing: replacing, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names)
    progress = Progress(quiet: quiet, size: rows.size)
  }

  convenience init(_ options: BatchOptions) throws {
    let variants = try options.variants.variants()
    let cells = try CellsFile(options.cells)
    let rows = try RowsReader(options.rows)
    try self.init(
      cells: cells, variants: variants, rows: rows, output: options.output, replacing: options.force,
      strict: options.strict, quiet: options.log.quiet)
  }

  /// Runs on a coordinator's pool.
  func run(_ context: Context, endpoint: String, keys: ClientKeys? = nil) throws {
    let client = try BatchClient(context, endpoint: endpoint, keys: keys)
    try client.run(
      program: program, variants: variants, rows: rows, shouldStop: { Interruption.isRequested },
      take: { rows, columns in try take(rows, columns, bytesUnderWay: client.bytesUnderWay) })
    programHash = client.programHash
  }

  /// Runs on a coordinator and worker processes that last as long as the batch.
  func run(workers: Int, log: Log) throws {
    let pool = try LocalPool(workers: workers, command: WorkerCommand.commandLine, log: log)
    defer { pool.stop() }
    do { try run(pool.context, endpoint: pool.endpoint) } catch { throw pool.failure ?? error }
  }

  /// Runs in this process on one thread: the yardstick of the pool.
  func runInProcess() throws {
    let bytes = program.bytes.assumingMemoryBound(to: UInt8.self)
    guard let start = bytes.baseAddress else { return }
    let layout: JobLayout
    do throws(CellError) {
      let cells = try CellProgram(ProgramArchive(ByteString(start: start, count: bytes.count)))
      layout = try JobLayout(cells, variants: variants)
    } catch {
      throw RunFailure(message: error.description)
    }
    while let chunk = try rows.next(bytes: 256 << 10) {
      if Interruption.isRequested { throw PoolError.interrupted }
      let lines = chunk.lines.bytes.assumingMemoryBound(to: UInt8.self)
      guard let start = lines.baseAddress else { continue }
      let count = layout.layout(
        JobLayout.Job(
          lines: ByteString(start: start, count: lines.count), firstLine: chunk.firstLine, firstRow: chunk.firstRow))
      let columns = variants.indices.map { variant in
        layout.withColumns(of: variant) { columns in Frame(size: columns.encodedSize) { columns.write(to: $0) } }
      }
      try take(count, columns, bytesUnderWay: 0)
    }
    programHash = SHA256.hash(program.bytes)
  }

  private func take(_ count: Int, _ columns: [Frame], bytesUnderWay: Int) throws {
    let firstRow = tables.rows
    if let table = try tables.take(rows: count, columns.map(\.bytes)) { tallest.note(table, firstRow: firstRow) }
    if strict, let bad = tables.badRows.first { throw RunFailure(message: place(of: bad)) }
    progress.show(rows: tables.rows, bytes: rows.bytesRead - bytesUnderWay)
  }

  /// Completes the tables; answers their manifest.
  func finish() throws -> Manifest {
    let seconds = begin.duration(to: .now).seconds
    var manifest: Manifest?
    let hash = rows.inputHash()
    try tables.finish { summaries in
      let made = Manifest(
        version: Version.current, input: .init(name: rows.name, bytes: rows.bytesRead, hash: hash),
        cells: .init(hash: "sha256:" + hexadecimal(programHash)),
        variants: zip(variants, summaries).map { .init($0, $1) }, seconds: seconds,
        rows: tables.rows)
      manifest = made
      return try made.encoded()
    }
    progress.end()
    guard let manifest else { throw RunFailure(message: "the manifest was not written") }
    return manifest
  }

  /// The rows with the largest heights in the first variant.
  var tallestRows: [TallestRows.Entry] { tallest.entries }

  /// Tells bad rows on standard error; whether there are any.
  func reportBadRows() -> Bool {
    let bad = tables.summaries.map(\.badRows).max() ?? 0
    guard bad > 0 else { return false }
    Program.write(
      "galley: \(bad) of \(tables.rows) rows \(bad == 1 ? "is" : "are") bad; they have height 0 in the tables\n")
    for row in tables.badRows { Program.write("  \(place(of: row))\n") }
    if bad > UInt64(tables.badRows.count) {
      Program.write("  … and \(bad - UInt64(tables.badRows.count)) more, with their errors in heights.arrow\n")
    }
    return true
  }

  /// `posts.jsonl:17: field "text" is missing`
  private func place(of bad: BatchTables.BadRow) -> String {
    bad.error.hasPrefix("line ") ? "\(rows.name):\(bad.error.dropFirst(5))" : bad.error
  }
}

/// The rows with the largest heights so far.
struct TallestRows {
  struct Entry {
    var row: UInt64
    /// Points.
    var height: Float
  }

  private static let count = 3
  private(set) var entries: [Entry] = []

  mutating func note(_ table: JobTable, firstRow: UInt64) {
    for row in 0..<table.rowCount {
      let height = table.height(of: row)
      if entries.count < Self.count || height > (entries.last?.height ?? 0) {
        let place = entries.firstIndex { $0.height < height } ?? entries.count
        entries.insert(Entry(row: firstRow + UInt64(row), height: height), at: place)
        if entries.count > Self.count { entries.removeLast() }
      }
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
