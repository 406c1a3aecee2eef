/// The writer of the tables of a whole run. It receives results in row order and writes the tables of all variants.
public final class BatchTables {
  /// The totals of a variant's tables.
  public struct Summary: Sendable {
    public let name: String
    public let rows: UInt64
    public let badRows: UInt64
    public let frames: UInt64
    /// The height of the whole list, in points.
    public let height: Double
    /// The number of bytes in the tables.
    public let size: Int64
    /// The XXH3 checksums of the tables that there are, by their names, such as `heights`.
    public let checksums: [String: UInt64]
    /// The share of the rows with margins of which the space can become another number of lines by less than
    /// `uncertainty`, from 0 to 1; nil if no row has margins.
    public let uncertainShare: Double?

    /// The change of the space in points by which the lines on a device may differ from those of the tables.
    public static let uncertainty: Float = 0.5
  }

  public private(set) var notes = BatchNotes()
  private var directory: OutputDirectory
  private let variants: [VariantTables]
  private var hashes: RowHashTable

  /// - Parameters:
  ///   - replacing: the reader of an earlier run's manifest, which `OutputDirectory` needs.
  ///   - variants: the names of the variants' directories, and their numbers of device pixels in a point.
  ///   - types: the names of the frame types by their codes.
  ///   - hasFrames: whether the frames are written.
  ///   - hasLines: whether the lines of texts are written.
  public init(
    _ path: String, replacing: OutputDirectory.ManifestReader? = nil, variants: [(name: String, scale: Double)],
    types: [String], hasFrames: Bool = true, hasLines: Bool = false
  ) throws(OutputError) {
    let directory = try OutputDirectory(path, replacing: replacing, canReplace: true)
    self.variants = try variants.map { variant throws(OutputError) in
      try VariantTables(
        in: directory.temporaryPath, name: variant.name, types: types, scale: variant.scale, hasFrames: hasFrames,
        hasLines: hasLines)
    }
    hashes = try RowHashTable(creating: directory.temporaryPath + "/" + RowHashTable.fileName)
    self.directory = directory
  }

  /// The path of the finished tables, with links resolved.
  public var path: String { directory.path }

  /// The names of the variants of the earlier run that this one replaces.
  public var replacedVariants: [String] { directory.replacedVariants }

  public var rows: UInt64 { variants.first?.rows ?? 0 }

  /// Writes the next rows, given as the columns of each variant.
  public func take(_ tables: [JobTable]) throws(OutputError) {
    let firstRow = rows
    for (variant, table) in zip(variants, tables) { try variant.append(table) }
    notes.note(tables, firstRow: firstRow)
    if let first = tables.first { try hashes.append(first) }
  }

  /// The totals of each variant's tables so far.
  public var summaries: [Summary] { variants.map(\.summary) }

  /// The XXH3 checksum of hashes.arrow so far.
  public var hashesChecksum: UInt64 { hashes.file.checksum }

  /// Finishes the tables, adds the manifest that `manifest` returns for them, and moves the directory to its path.
  public func finish(manifest: ([Summary]) throws -> [UInt8]) throws {
    for tables in variants { try tables.finish() }
    try hashes.file.finish()
    try directory.write(manifest(summaries), to: "manifest.json")
    try directory.complete()
  }
}
