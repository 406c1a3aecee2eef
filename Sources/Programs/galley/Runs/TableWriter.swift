import ArgumentParser
import Buffers
import CellTemplates
import Hashing
import LayoutEngine
import LayoutTables
import ListTables
import PoolProtocol

/// A writer that writes the results of one run to the tables of an output directory, in the order of the rows.
final class TableWriter: RunOutput {
  /// The path of the output directory, as the user wrote it.
  let output: String
  private let variants: [Variant]
  /// The name of the input in messages and in the manifest.
  private let input: String
  /// The number of warnings of the cells file.
  private let cellWarnings: Int
  /// Whether the first bad row ends the run.
  private let strict: Bool
  private var tables: BatchTables
  /// Creates the tables, without rows.
  private let makeTables: () throws -> BatchTables
  private let imageScale: Double?
  private let start = ContinuousClock.now
  private let progress: Progress
  /// The manifest of the completed tables.
  private(set) var manifest: Manifest?

  /// - Parameters:
  ///   - size: The size of the input in bytes, or nil if it is unknown.
  ///   - cellWarnings: The number of warnings of the cells file.
  ///   - replacing: Whether the tables of an earlier run may be replaced.
  ///   - hasFrames: Whether the frames are written.
  ///   - imageScale: The pixels per point of images; nil for the scales of the variants.
  init(
    _ variants: [Variant], input: String, size: Int? = nil, cellWarnings: Int = 0, output: String, replacing: Bool,
    hasFrames: Bool = true, imageScale: Double? = nil, strict: Bool, quiet: Bool
  ) throws {
    guard hasFrames || !variants.contains(where: \.hasLines) else {
      throw ValidationError(
        "lines (--lines) refer to frames, which --columns heights leaves out; leave out --columns heights")
    }
    self.imageScale = imageScale
    self.cellWarnings = cellWarnings
    self.output = output
    self.variants = variants
    self.input = input
    self.strict = strict
    makeTables = {
      let earlier: OutputDirectory.ManifestReader? = replacing ? { RunManifest($0)?.variants.map(\.name) } : nil
      return try BatchTables(
        output, replacing: earlier, variants: variants.map { ($0.name, imageScale ?? $0.scale) },
        types: ElementType.names, hasFrames: hasFrames, hasLines: variants.contains(where: \.hasLines))
    }
    tables = try makeTables()
    progress = Progress(quiet: quiet, size: size)
    if let note = Self.replacementNote(tables.replacedVariants, variants.map(\.name)) {
      Messages.note("\(output): \(note)")
    }
  }

  /// Returns a sentence that lists the variants of an earlier run that this run removes, or nil if it removes none.
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
      replacing: options.force, hasFrames: options.columns != .heights, imageScale: options.imageScale,
      strict: options.strict, quiet: options.log.quiet
    )
  }

  /// The path of the run's journal: beside the output directory, with symbolic links resolved.
  var journalPath: String? { tables.path + ".journal" }

  var hasLostReader: Bool { false }

  func append(_ variants: [JobTable], bytes: Int) throws {
    try tables.take(variants)
    if strict, let bad = tables.notes.badRows.first {
      throw RunFailure(message: bad.message(input: input), isOfRow: true)
    }
    progress.show(rows: tables.rows, bytes: bytes)
  }

  func begin() throws {
    tables = try makeTables()
  }

  /// Completes the tables and their manifest.
  func finish(_ read: InputSummary, programHash: [UInt8], takenRows: UInt64?) throws {
    let seconds = start.duration(to: .now).seconds
    try tables.finish { summaries in
      let completed = Manifest(
        version: Version.current, input: .init(name: input, bytes: Int(clamping: read.bytes), hash: read.hash),
        cells: .init(hash: "sha256:" + hexadecimal(programHash)),
        variants: zip(variants, summaries).map { .init($0, imageScale: imageScale, $1) }, hashes: tables.hashesChecksum,
        seconds: seconds,
        rows: tables.rows, takenRows: takenRows, cellWarnings: cellWarnings,
        missingGlyphs: GlyphWarning(tables.notes.missingGlyphs))
      manifest = completed
      return try completed.encoded()
    }
    progress.end()
  }

  /// Prints the manifest or its summary, and writes warnings and bad rows to standard error.
  func report(_ options: TableOptions, of work: RunSummary.Work) throws {
    guard let manifest else { throw RunFailure(message: "the manifest was not written") }
    if options.json {
      try Results.write(String(decoding: try manifest.encoded(), as: UTF8.self))
    } else if !options.log.quiet {
      try Results.print("\(output): \(manifest.summary(of: work))")
    }
    if let missing = manifest.warnings?.missingGlyphs { Messages.warning(missing.message) }
    try reportBadRows()
  }

  /// Writes the bad rows to standard error.
  ///
  /// - Throws: `ExitCode` if there are any.
  func reportBadRows() throws {
    try tables.notes.reportBadRows(
      tables.summaries.map(\.badRows).max() ?? 0, of: tables.rows, input: input, place: "heights.arrow")
  }
}
