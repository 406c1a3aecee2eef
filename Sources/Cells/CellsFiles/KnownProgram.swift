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
  /// The program, if it was read.
  public let archive: ByteBlock?
  private let knownHash: Hash
  private let source: Source
  private let cache: ProgramCache?
  private let key: [UInt8]

  private enum Hash: Sendable {
    case found([UInt8])
    case computed(BackgroundSHA256)
  }

  /// From what the program is read.
  private enum Source: Sendable {
    case file(CellsFile)
    /// A cells file whose hash is from the cache: its text and its path.
    case text(String, String)
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
      self.init(try CellsFile(path), cache: nil, key: [])
      return
    }
    let text = try CellsFile.text(of: Array(bytes), path)
    let key = Self.key(path, bytes)
    if let entry = cache.entry(key) {
      self.init(entry, text: text, path: path, cache, key)
      return
    }
    let file = try CellsFile(text: text, path: path)
    self.init(file, cache: cache, key: key)
    cache.store(
      ProgramCache.Entry(hash: hash, warnings: UInt32(clamping: warnings)), key, fonts: file.fileIdentities,
      paths: file.unusableFontFiles + FontSources.paths, start: start)
  }

  private init(_ file: CellsFile, cache: ProgramCache?, key: [UInt8]) {
    (warnings, archive) = (file.warnings.count, file.readArchive)
    knownHash = archive.map { .computed(BackgroundSHA256($0)) } ?? .found(file.programHash)
    (source, self.cache, self.key) = (.file(file), cache, key)
  }

  private init(_ entry: ProgramCache.Entry, text: String, path: String, _ cache: ProgramCache, _ key: [UInt8]) {
    (knownHash, warnings, archive) = (.found(entry.hash), Int(entry.warnings), nil)
    (source, self.cache, self.key) = (.text(text, path), cache, key)
  }

  /// Returns the program. If it is not the one of the hash, the cache forgets the hash.
  public func read() throws(CellsFileError) -> ByteBlock {
    switch source {
    case .file(let file): return try file.archive()
    case .text(let text, let path):
      let archive = try CellsFile(text: text, path: path).archive()
      if archive.withBytes({ SHA256.hash(UnsafeRawBufferPointer($0.bytes)) }) != hash { cache?.remove(key) }
      return archive
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
