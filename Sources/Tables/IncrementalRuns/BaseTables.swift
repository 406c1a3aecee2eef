import Dispatch
import Hashing
import ListTables
import Synchronization

/// The tables of an earlier run, from which a later run takes the rows that are the same.
public final class BaseTables {
  /// The tables of each variant of the later run.
  let variants: [MappedTables]
  private let heights: [Heights]
  private let hashes: RowHashes
  /// Whether the later run has lines.
  let hasLines: Bool
  /// Whether the tables are copied into memory where the rows have another order.
  let areCopied: Bool
  /// The largest size of all tables in bytes that are copied into memory. Larger ones are read from their files row by row, which
  /// takes several times as long where the rows have another order.
  public static let maxCopiedBytes = 1 << 30

  /// Opens the tables, and reads them once to compare their checksums.
  ///
  /// - Parameters:
  ///   - directory: The directory of the earlier run.
  ///   - variants: The variants of the later run, each with the checksums that the manifest of the earlier run states of its
  ///     tables.
  ///   - hashesChecksum: The checksum that the manifest states of hashes.arrow.
  ///   - types: The names of the frame types by their codes.
  ///   - hasLines: Whether the later run has lines, which the tables must have then, too.
  ///   - maxCopiedBytes: The largest size of all tables that are copied into memory.
  /// - Throws: `TableError` if a file is missing or has other bytes than the earlier run has written.
  public init(
    _ directory: String, variants named: [(name: String, checksums: [String: UInt64])], hashesChecksum: UInt64,
    types: [String], hasLines: Bool = false, maxCopiedBytes: Int = maxCopiedBytes
  ) throws(TableError) {
    self.hasLines = hasLines
    let hashesPath = directory + "/hashes.arrow"
    hashes = try RowHashes(hashesPath)
    var files = [CheckedFile(file: hashes.file, checksum: hashesChecksum)]
    var variants: [MappedTables] = []
    for (name, checksums) in named {
      let tables = try MappedTables(directory + "/" + name)
      // Jobs refer to the nodes of resources by their frames.
      guard tables.hasFrames else { throw TableError(tables.path, "has no frames: --columns heights left them out") }
      files += tables.files.map { CheckedFile(file: $0.file, checksum: checksums[$0.table]) }
      guard tables.heights.rowCount == hashes.count, hashes.count < UInt32.max, tables.frames.types == types,
        tables.resources.types == types
      else {
        throw TableError(tables.path, "is not of the run that wrote \(hashesPath)")
      }
      guard tables.hasLines || !hasLines else { throw TableError(tables.path, "has no lines of texts") }
      variants.append(tables)
    }
    try CheckedFile.check(files)
    areCopied = files.reduce(0) { $0 + $1.file.size } <= maxCopiedBytes
    self.variants = variants
    heights = variants.map(\.heights)
  }

  var rowCount: Int { hashes.count }

  func hash(of row: Int) -> RowHash {
    let hash = hashes.hash(of: row)
    return RowHash(low: hash.low, high: hash.high)
  }

  /// Returns whether a row can be taken over. A bad row cannot, because its error states the line; a row with missing
  /// glyphs cannot, because the manifest counts these by character.
  func canTake(_ row: Int) -> Bool {
    for heights in heights where heights.isBad(row) || heights.missingGlyphs(of: row) > 0 { return false }
    return true
  }
}

/// A file whose bytes are compared with their checksum.
private struct CheckedFile: Sendable {
  let file: TableFile
  /// The checksum that the manifest states; nil if it states none.
  let checksum: UInt64?

  /// Reads the files on all processors.
  ///
  /// - Throws: `TableError` for the first file with other bytes.
  static func check(_ files: [CheckedFile]) throws(TableError) {
    let errors = Mutex<[Int: TableError]>([:])
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      do throws(TableError) { try files[index].check() } catch { errors.withLock { $0[index] = error } }
    }
    if let first = errors.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
  }

  private func check() throws(TableError) {
    guard let checksum else { throw TableError(file.path, "has no checksum in manifest.json") }
    let sum = Checksum()
    try file.forEachPart { sum.update($0) }
    guard sum.value == checksum else {
      throw TableError(file.path, "does not have the checksum that manifest.json states: the file is damaged")
    }
  }
}
