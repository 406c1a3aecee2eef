import Buffers
import Foundation
import Hashing

/// The program of a cells file. If the cells file and its fonts are those of an earlier run, its hash and its cells are known from
/// the cache, and its font files are opened only when its bytes are needed.
public struct KnownProgram: Sendable {
  /// The SHA-256 of the program. The first use waits until it is computed.
  public var hash: [UInt8] {
    switch knownHash {
    case .found(let hash): hash
    case .computed(let hash): hash.value
    }
  }
  /// The number of warnings of the cells file.
  public let warnings: Int
  let knownHash: Hash
  private let path: String
  private let source: Source

  enum Hash: Sendable {
    /// The hash is from the cache or from a pack.
    case found([UInt8])
    case computed(BackgroundSHA256)
  }

  /// From what the program is read.
  private enum Source: Sendable {
    case file(CellsFile)
    /// What the cache knows, and the key there.
    case cache(ProgramCache.Entry, ProgramCache, [UInt8])
  }

  /// The largest number of bytes of a cells file whose program is stored in the cache.
  private static let maxBytes = 1 << 20

  /// - Parameter cache: The cache of programs, or nil to read the program at once.
  /// - Throws: `CellsFileError`, as `CellsFile` does. The cache knows no cells file with mistakes.
  public init(_ path: String, cache: ProgramCache?) throws(CellsFileError) {
    try self.init(path, cache: cache, start: Int64(time(nil)))
  }

  /// - Parameter start: The time in seconds since 1970; files that have changed later may change again unnoticed.
  init(_ path: String, cache: ProgramCache?, start: Int64) throws(CellsFileError) {
    guard let cache, let bytes = Self.read(path), !bytes.starts(with: CellsPack.mark) else {
      try self.init(try CellsFile(path))
      return
    }
    let text = try CellsFile.text(of: Array(bytes), path)
    let key = Self.key(path, bytes)
    if let entry = cache.entry(key) {
      self.init(entry, path: path, cache, key)
      return
    }
    let file = try CellsFile(text: text, path: path)
    let paths = file.unusableFontFiles + FontSources.paths
    try self.init(file) { hash, head in
      cache.store(
        ProgramCache.Entry(
          hash: hash, warnings: UInt32(clamping: file.warnings.count), head: head.withBytes { Array($0) },
          fonts: file.programFonts),
        key, files: file.fileIdentities, paths: paths, start: start)
    }
  }

  /// - Parameter store: Called on another thread with the hash, and with the bytes of the program before its font files.
  private init(
    _ file: CellsFile, store: @escaping @Sendable (_ hash: [UInt8], _ head: OwnedBytes) -> Void = { _, _ in }
  ) throws(CellsFileError) {
    (path, warnings, source) = (file.path, file.warnings.count, .file(file))
    if let hash = file.storedHash {
      knownHash = .found(hash)
    } else {
      let parts = try file.parts()
      knownHash = .computed(BackgroundSHA256(parts) { store($0, parts[0]) })
    }
  }

  private init(_ entry: ProgramCache.Entry, path: String, _ cache: ProgramCache, _ key: [UInt8]) {
    (self.path, knownHash, warnings) = (path, .found(entry.hash), Int(entry.warnings))
    source = .cache(entry, cache, key)
  }

  /// Returns the bytes of the program, a `ProgramArchive`, in parts, in which installed fonts are mapped.
  ///
  /// - Throws: `CellsFileError` if its fonts are not those of the hash any more, and for a pack whose program is damaged. The cache
  ///   then forgets the program.
  public func parts() throws(CellsFileError) -> [OwnedBytes] {
    switch source {
    case .file(let file): return try file.parts()
    case .cache(let entry, let cache, let key):
      var parts = [OwnedBytes(copying: entry.head)]
      var isDecoded = false
      for font in entry.fonts {
        guard let file = try? FontFile(font.path), file.identity == font.identity,
          let bytes = file.bytes(maps: font.isInstalled)
        else { break }
        parts.append(bytes)
        isDecoded = isDecoded || file.format != nil
      }
      // Another version of a decoder may decode a font otherwise.
      guard parts.count == entry.fonts.count + 1, !isDecoded || SHA256.hash(parts) == hash else {
        cache.remove(key)
        throw CellsFile.changedFonts(path)
      }
      return parts
    }
  }

  /// Returns the hash of the cells file with everything else besides files that its program depends on.
  private static func key(_ path: String, _ bytes: Data) -> [UInt8] {
    let hash = SHA256()
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let place = [path, FileManager.default.currentDirectoryPath, program]
    for text in place + FontSources.environment {
      Array((text + "\0").utf8).withUnsafeBytes { hash.update($0) }
    }
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// Returns the bytes of a cells file, or nil for what is not a file, is too large, or cannot be read.
  private static func read(_ path: String) -> Data? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maxBytes else { return nil }
    return FileManager.default.contents(atPath: path)
  }
}
