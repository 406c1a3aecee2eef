import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables
import PoolProtocol
import Processes

/// A writer that writes the results of one run to standard output, as one Arrow stream.
final class StreamWriter: RunOutput {
  /// The name of the input in messages.
  private let input: String
  /// Whether the first bad row ends the run.
  private let strict: Bool
  private let stream: BatchStream
  private let start = ContinuousClock.now
  private let progress: Progress
  private var seconds = 0.0
  /// The number of rows that come again and were written before.
  private var repeatedRows = 0

  /// What was written to a pipe cannot be written again, so that the run cannot be resumed.
  let journalPath: String? = nil

  var hasLostReader: Bool { StandardStream.output.hasLostReader }

  /// Writes the schema.
  init(_ variants: [Variant], input: String, _ options: TableOptions) throws {
    self.input = input
    strict = options.strict
    progress = Progress(quiet: options.log.quiet, size: nil)
    stream = try BatchStream(
      variants.map { BatchStream.Variant(name: $0.name, scale: options.imageScale ?? $0.scale) },
      types: ElementType.names,
      hasFrames: options.columns != .heights, hasLines: variants.contains(where: \.hasLines),
      version: Version.current, to: { try Results.write($0) })
  }

  func append(_ variants: [JobTable], bytes: Int) throws {
    let count = variants.rowCount
    let repeated = min(count, repeatedRows)
    repeatedRows -= repeated
    guard repeated < count else { return }
    try stream.take(variants, from: repeated)
    if strict, let bad = stream.notes.badRows.first {
      throw RunFailure(message: bad.message(input: input), isOfRow: true)
    }
    progress.show(rows: stream.rows, bytes: bytes)
  }

  func begin() { repeatedRows = Int(stream.rows) }

  func finish(_ read: InputSummary, programHash: [UInt8], takenRows: UInt64?) throws {
    try stream.finish()
    seconds = start.duration(to: .now).seconds
    progress.end()
  }

  func report(_ options: TableOptions, of work: RunSummary.Work) throws {
    let frames = stream.variants.reduce(0) { $0 + $1.frames }
    let summary = RunSummary(
      rows: stream.rows, takenRows: nil, frames: frames, variants: stream.variants.map(\.name), seconds: seconds)
    Messages.note("standard output: \(summary.text(of: work))")
    if let missing = GlyphWarning(stream.notes.missingGlyphs) { Messages.warning(missing.message) }
    let bad = stream.variants.map(\.badRows).max() ?? 0
    try stream.notes.reportBadRows(bad, of: stream.rows, input: input, place: "the column error")
  }
}
