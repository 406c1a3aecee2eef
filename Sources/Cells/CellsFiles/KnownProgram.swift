import Buffers
import Foundation
import Hashing

/// The program of a cells file, which is read only when its bytes are needed if its hash is known from an earlier run.
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
  private let source: Source

  enum Hash: Sendable {
    /// The hash is from the cache or from a pack.
    case found([UInt8])
    case computed(BackgroundSHA256)
  }

  /// From what the program is read.
  private enum Source: Sendable {
    case file(CellsFile)
    /// A cells file whose hash is from the cache: its text, its path, and its key in the cache.
    case text(String, String, ProgramCache, [UInt8])
  }

  /// The largest number of bytes of a cells file whose program is stored in the cache.
  private static let maxBytes = 1 << 20

  /// - Parameter cache: The cache of hashes, or nil to read the program at once.
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
      self.init(entry, text: text, path: path, cache, key)
      return
    }
    let file = try CellsFile(text: text, path: path)
    try self.init(file) { hash in
      cache.store(
        ProgramCache.Entry(hash: hash, warnings: UInt32(clamping: file.warnings.count)), key,
        fonts: file.fileIdentities, paths: file.unusableFontFiles + FontSources.paths, start: start)
    }
  }

  private init(_ file: CellsFile, store: @escaping @Sendable ([UInt8]) -> Void = { _ in }) throws(CellsFileError) {
    (warnings, source) = (file.warnings.count, .file(file))
    if let hash = file.storedHash {
      knownHash = .found(hash)
    } else {
      knownHash = .computed(BackgroundSHA256(try file.parts(), finish: store))
    }
  }

  private init(_ entry: ProgramCache.Entry, text: String, path: String, _ cache: ProgramCache, _ key: [UInt8]) {
    (knownHash, warnings, source) = (.found(entry.hash), Int(entry.warnings), .text(text, path, cache, key))
  }

  /// Returns the bytes of the program, a `ProgramArchive`, in parts, in which font files are mapped.
  ///
  /// - Throws: `CellsFileError` if the cells file is not valid any more, and if its fonts are not those of the hash. The
  ///   cache then forgets the hash.
  public func parts() throws(CellsFileError) -> [OwnedBytes] {
    switch source {
    case .file(let file): return try file.parts()
    case .text(let text, let path, let cache, let key):
      let parts = try CellsFile(text: text, path: path).parts()
      // The files that were opened are those at their paths, which are those of the hash if the cache still knows it.
      if cache.entry(key)?.hash == hash || SHA256.hash(parts) == hash { return parts }
      cache.remove(key)
      throw CellsFileError(path: path, message: "its fonts have changed since the run began; run again")
    }
  }

  /// Returns the hash of the cells file with everything else besides files that its program depends on.
  private static func key(_ path: String, _ bytes: Data) -> [UInt8] {
    let hash = SHA256()
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let place = [URL(fileURLWithPath: path).path, FileManager.default.currentDirectoryPath, program]
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
