import Buffers
import Glibc
import Hashing

/// A directory of this user with what is known of programs that were read before, so that the cells file and the fonts of a
/// program need not be read again if they have not changed.
///
/// The directory has at most 256 files. The format of each is:
///
///     SHA-256 of what follows  SHA-256 of the key  SHA-256 of the identities of the files  SHA-256 of the program
///     u32 number of warnings   u32 length of the head  the bytes of the program before its font files
///     u32 number of its font files, and per file: u32 1 if it is an installed font, 0 if not
///     paths of the files, those of the font files first, each with a zero byte after it
public struct ProgramCache: Sendable {
  /// What is known of a program.
  struct Entry: Equatable {
    /// The SHA-256 of the program.
    var hash: [UInt8]
    /// The number of warnings of the cells file.
    var warnings: UInt32
    /// The bytes of the program before its font files.
    var head: [UInt8]
    /// The font files of the program in their order.
    var fonts: [ProgramFont]
  }

  /// Seconds. A file system's times may be that coarse, so that a file that was changed twice within them may have the
  /// same identity. What has changed later than that before it was read is not stored.
  private static let resolution: Int64 = 2
  private static let hashBytes = 32
  private static let fixedBytes = 4 * hashBytes
  /// The largest number of bytes of one file. A program with hyphenation can have several dictionaries of a megabyte.
  private static let maxBytes = 8 << 20

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
    let decoded = bytes[Self.fixedBytes...].withUnsafeBytes { Self.decode(ByteString($0)) }
    guard let (warnings, head, installed, paths) = decoded, installed.count <= paths.count else { return nil }
    let identities = paths.map { FileIdentity(path: $0) }
    guard bytes[2 * Self.hashBytes..<3 * Self.hashBytes] == Self.hash(of: identities)[...] else { return nil }
    var fonts: [ProgramFont] = []
    for (index, isInstalled) in installed.enumerated() {
      guard let identity = identities[index] else { return nil }
      fonts.append(ProgramFont(path: paths[index], isInstalled: isInstalled, identity: identity))
    }
    return Entry(
      hash: Array(bytes[3 * Self.hashBytes..<Self.fixedBytes]), warnings: warnings, head: head, fonts: fonts)
  }

  /// Decodes what follows the hashes; nil if it ends too early.
  private static func decode(
    _ bytes: ByteString
  ) -> (warnings: UInt32, head: [UInt8], installed: [Bool], paths: [String])? {
    var reader = LittleEndianReader(bytes)
    guard let warnings = reader.uint32(), let headCount = reader.uint32(), let head = reader.take(Int(headCount)),
      let fontCount = reader.uint32(), Int(fontCount) <= bytes.count
    else { return nil }
    var installed: [Bool] = []
    for _ in 0..<fontCount {
      guard let number = reader.uint32() else { return nil }
      installed.append(number == 1)
    }
    let paths = reader.rest.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return (warnings, Array(head.bytes), installed, paths)
  }

  /// Stores what is known of a program. It is not stored if a file may have changed since it was read, or if the directory
  /// cannot be written, which is no error: the program is then read again.
  ///
  /// - Parameters:
  ///   - files: The font files and dictionaries with their identities when they were read.
  ///   - paths: Further files and directories on which the program depends.
  ///   - start: The time in seconds since 1970 before the first of the files was read.
  func store(_ entry: Entry, _ key: [UInt8], files: [String: FileIdentity], paths: [String], start: Int64) {
    let fonts = entry.fonts.map(\.path)
    let paths = fonts + files.keys.filter { !fonts.contains($0) }.sorted() + paths
    let identities = paths.map { FileIdentity(path: $0) }
    for (path, identity) in zip(paths, identities) {
      if let identity, !identity.isOlder(than: start - Self.resolution) { return }
      if let file = files[path], file != identity { return }
      if path.utf8.contains(0) { return }
    }
    var bytes = key + Self.hash(of: identities) + entry.hash
    bytes.append(littleEndian: entry.warnings)
    bytes.append(littleEndian: UInt32(entry.head.count))
    bytes += entry.head
    bytes.append(littleEndian: UInt32(entry.fonts.count))
    for font in entry.fonts { bytes.append(littleEndian: font.isInstalled ? 1 as UInt32 : 0) }
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
    let count = bytes.withUnsafeMutableBytes { readAll(into: $0, from: descriptor) }
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
