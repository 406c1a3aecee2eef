import BatchLayout
import Buffers
import CellTemplates
import Hashing
import LayoutTables
import PoolEnvelopes
import PoolProtocol
import ZeroMQ

/// The tables of one run while its results come, whoever does the laying out.
final class Batch {
  let output: String
  private let variants: [Variant]
  /// The rows' file, as the user named it.
  private let input: String
  /// The number of warnings of the cells file.
  private let cellWarnings: Int
  private let strict: Bool
  private let tables: BatchTables
  private let begin = ContinuousClock.now
  private let progress: Progress
  private var tallest = TallestRows()

  /// - Parameters:
  ///   - size: bytes of the rows' file, if known.
  ///   - cellWarnings: the number of warnings of the cells file.
  init(
    _ variants: [Variant], input: String, size: Int? = nil, cellWarnings: Int = 0, output: String, replacing: Bool,
    strict: Bool, quiet: Bool
  ) throws {
    self.cellWarnings = cellWarnings
    self.output = output
    self.variants = variants
    self.input = input
    self.strict = strict
    let earlier: OutputDirectory.ManifestReader? = replacing ? { Manifest.variantNames($0) } : nil
    tables = try BatchTables(
      output, replacing: earlier, variants: variants.map { ($0.name, $0.scale) }, types: ElementType.names)
    progress = Progress(quiet: quiet, size: size)
    if !quiet, let note = Self.replacementNote(tables.replacedVariants, variants.map(\.name)) {
      Program.write("galley: \(output): \(note)\n")
    }
  }

  /// Says which variants of an earlier run have no successor in this one; nil if all have.
  static func replacementNote(_ old: [String], _ new: [String]) -> String? {
    let removed = old.filter { !new.contains($0) }
    guard !removed.isEmpty else { return nil }
    return
      "replaces \(Manifest.list(old)); removes \(Manifest.list(removed)), as this run has only \(Manifest.list(new))"
  }

  convenience init(
    _ variants: [Variant], input: String, size: Int? = nil, cellWarnings: Int = 0, _ options: TableOptions
  ) throws {
    try self.init(
      variants, input: input, size: size, cellWarnings: cellWarnings, output: try options.directory(),
      replacing: options.force,
      strict: options.strict, quiet: options.log.quiet)
  }

  /// Where the tables will be, links resolved.
  var path: String { tables.path }

  /// Takes the next rows.
  ///
  /// - Parameter bytes: of the input that they and those before them are, about.
  func take(_ count: Int, _ columns: [OwnedBytes], bytes: Int = 0) throws {
    let firstRow = tables.rows
    if let table = try tables.take(rows: count, columns.map(\.bytes)) { tallest.note(table, firstRow: firstRow) }
    if strict, let bad = tables.badRows.first { throw RunFailure(message: place(of: bad)) }
    progress.show(rows: tables.rows, bytes: bytes)
  }

  /// Completes the tables; answers their manifest.
  func finish(_ read: InputSummary, programHash: [UInt8]) throws -> Manifest {
    let seconds = begin.duration(to: .now).seconds
    var manifest: Manifest?
    try tables.finish { summaries in
      let made = Manifest(
        version: Version.current, input: .init(name: input, bytes: Int(clamping: read.bytes), hash: read.hash),
        cells: .init(hash: "sha256:" + hexadecimal(programHash)),
        variants: zip(variants, summaries).map { .init($0, $1) }, seconds: seconds,
        rows: tables.rows, cellWarnings: cellWarnings, missingGlyphs: GlyphWarning(tables.missingGlyphs))
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
    guard let place = bad.error.prefixMatch(of: #/(?:(.*?) )?line (\d+): /#.dotMatchesNewlines()) else {
      return bad.error
    }
    return "\(place.1.map(String.init) ?? input):\(place.2): \(bad.error[place.range.upperBound...])"
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
