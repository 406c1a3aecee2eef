import Dispatch
import Hashing
import LayoutTables
import ListTables
import Synchronization

/// The tables of an earlier run, from which a later run takes the rows that are the same.
public final class BaseTables {
  /// The checksums that the manifest of the earlier run states.
  public struct Checksums {
    /// For each variant of the later run, the checksums of heights.arrow, frames.arrow and resources.arrow.
    let variants: [(name: String, files: [UInt64])]
    /// The checksum of hashes.arrow.
    let hashes: UInt64

    public init(variants: [(name: String, files: [UInt64])], hashes: UInt64) {
      self.variants = variants
      self.hashes = hashes
    }
  }

  /// The tables of each variant of the later run.
  let variants: [MappedTables]
  private let heights: [Heights]
  private let hashes: RowHashes

  /// Maps the tables, and reads them once to compare their checksums.
  ///
  /// - Parameters:
  ///   - directory: The directory of the earlier run.
  ///   - types: The names of the frame types by their codes.
  /// - Throws: `TableError` if a file is missing or has other bytes than the earlier run has written.
  public init(_ directory: String, _ checksums: Checksums, types: [String]) throws(TableError) {
    let hashesPath = directory + "/hashes.arrow"
    hashes = try RowHashes(hashesPath)
    var files = [CheckedFile(path: hashesPath, bytes: hashes.bytes, checksum: checksums.hashes)]
    var variants: [MappedTables] = []
    for (name, expected) in checksums.variants {
      let tables = try MappedTables(directory + "/" + name)
      let paths = [tables.heights.path, tables.frames.path, tables.resources.path]
      for (index, bytes) in tables.files.enumerated() {
        files.append(CheckedFile(path: paths[index], bytes: bytes, checksum: expected[index]))
      }
      guard tables.heights.rowCount == hashes.count, hashes.count < UInt32.max, tables.frames.types == types,
        tables.resources.types == types
      else {
        throw TableError(tables.path, "is not of the run that wrote \(hashesPath)")
      }
      variants.append(tables)
    }
    if let path = CheckedFile.firstDamaged(files) {
      throw TableError(path, "does not have the checksum that manifest.json states: the file is damaged")
    }
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
///
/// The bytes are those of a mapped file, to which no process writes, so that all threads can read them.
private struct CheckedFile: @unchecked Sendable {
  let path: String
  let bytes: UnsafeRawBufferPointer
  let checksum: UInt64

  /// Returns the path of the first file with other bytes, or nil. Reads the files on all processors.
  static func firstDamaged(_ files: [CheckedFile]) -> String? {
    let damaged = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      if Checksum.of(files[index].bytes) != files[index].checksum { damaged.withLock { $0.append(index) } }
    }
    return damaged.withLock { $0.min() }.map { files[$0].path }
  }
}
