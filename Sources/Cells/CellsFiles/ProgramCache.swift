import Buffers
import Glibc
import Hashing

/// A directory of this user with the hashes of programs that were read before, by which a program whose cells file and
/// fonts have not changed is known without reading them.
///
/// The directory has at most 256 files. The format of each is:
///
///     SHA-256 of what follows  SHA-256 of the key  SHA-256 of the identities of the files  SHA-256 of the program
///     u32 number of warnings   paths of the files, each with a zero byte after it
public struct ProgramCache: Sendable {
  /// What is known of a program.
  struct Entry: Equatable {
    /// The SHA-256 of the program.
    var hash: [UInt8]
    /// The number of warnings of the cells file.
    var warnings: UInt32
  }

  /// Seconds. A file system's times may be that coarse, so that a file that was changed twice within them may have the
  /// same identity. What has changed later than that before it was read is not stored.
  private static let resolution: Int64 = 2
  private static let hashBytes = 32
  private static let fixedBytes = 4 * hashBytes + 4
  /// The largest number of bytes of one file.
  private static let maxBytes = 1 << 20

  private let directory: String

  /// - Parameter directory: The path of the directory, which is made with the one that contains it if they are missing.
  public init(directory: String) { self.directory = directory }

  /// The cache in `$XDG_CACHE_HOME/galley`, or else in `~/.cache/galley`; nil if there is no such place.
  public static var ofUser: ProgramCache? {
    let variable = { (name: String) in getenv(name).map { String(cString: $0) } }
    if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return ProgramCache(directory: cache + "/galley")
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return ProgramCache(directory: home + "/.cache/galley")
  }

  /// Returns what is known of a program, or nil if it is not stored, or if one of its files has changed.
  func entry(_ key: [UInt8]) -> Entry? {
    guard let bytes = read(path(of: key)), bytes.count >= Self.fixedBytes,
      bytes[..<Self.hashBytes] == Self.hash(bytes[Self.hashBytes...]),
      bytes[Self.hashBytes..<2 * Self.hashBytes] == key[...]
    else { return nil }
    let paths = bytes[Self.fixedBytes...].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let identities = Self.hash(of: paths.map { FileIdentity(path: $0) })
    guard bytes[2 * Self.hashBytes..<3 * Self.hashBytes] == identities[...] else { return nil }
    let warnings = bytes[4 * Self.hashBytes..<Self.fixedBytes].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    return Entry(hash: Array(bytes[3 * Self.hashBytes..<4 * Self.hashBytes]), warnings: warnings)
  }

  /// Stores what is known of a program. It is not stored if a file may have changed since it was read, or if the directory
  /// cannot be written, which is no error: the program is then read again.
  ///
  /// - Parameters:
  ///   - fonts: The font files with their identities when they were read.
  ///   - paths: Further files and directories on which the program depends.
  ///   - start: The time in seconds since 1970 before the first of the files was read.
  func store(_ entry: Entry, _ key: [UInt8], fonts: [String: FileIdentity], paths: [String], start: Int64) {
    let paths = fonts.keys.sorted() + paths
    let identities = paths.map { FileIdentity(path: $0) }
    for (path, identity) in zip(paths, identities) {
      if let identity, !identity.isOlder(than: start - Self.resolution) { return }
      if let font = fonts[path], font != identity { return }
      if path.utf8.contains(0) { return }
    }
    var bytes = key + Self.hash(of: identities) + entry.hash
    bytes += withUnsafeBytes(of: entry.warnings.littleEndian) { Array($0) }
    for path in paths { bytes += Array(path.utf8) + [0] }
    guard bytes.count + Self.hashBytes <= Self.maxBytes else { return }
    write(Self.hash(bytes[...]) + bytes, to: path(of: key))
  }

  /// Removes what is known of a program.
  func remove(_ key: [UInt8]) { unlink(path(of: key)) }

  /// Two programs with one path replace each other, which bounds the number of files.
  private func path(of key: [UInt8]) -> String { "\(directory)/program-\(hexadecimal(Array(key.prefix(1))))" }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.withUnsafeBytes { SHA256.hash($0) }[...]
  }

  /// A missing file counts as well.
  private static func hash(of identities: [FileIdentity?]) -> [UInt8] {
    var numbers: [UInt64] = []
    for identity in identities { numbers += identity.map { [1] + $0.numbers } ?? [0] }
    return numbers.withUnsafeBytes { SHA256.hash($0) }
  }

  // MARK: Files

  private static func parent(of path: String) -> String {
    String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }

  /// Returns the bytes of a file, or nil if there is none that only this user can write.
  private func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o022 == 0,
      status.st_uid == geteuid(), status.st_size <= Self.maxBytes
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return count == bytes.count ? bytes : nil
  }

  /// Writes a file beside the old one and puts it in its place. Two processes that do so at once may damage what they
  /// write, which its hash shows.
  private func write(_ bytes: [UInt8], to path: String) {
    for directory in [Self.parent(of: directory), directory] {
      // A directory that root makes in the home of another user would lock out that user.
      var status = stat()
      guard stat(Self.parent(of: directory), &status) == 0, status.st_uid == geteuid() || access(directory, F_OK) == 0
      else { return }
      mkdir(directory, 0o700)
    }
    let new = path + ".new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if count == bytes.count { rename(new, path) } else { unlink(new) }
  }
}
