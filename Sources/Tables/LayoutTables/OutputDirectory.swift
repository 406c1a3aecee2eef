import CLinux
import Glibc
import Processes

/// The directory of a run's tables. It is filled under a temporary name beside its path, and moved to its path when it
/// is complete, so that a reader never sees half a run and two runs never mix.
public struct OutputDirectory: ~Copyable {
  /// The path of the finished directory.
  public let path: String
  /// The directory to which the tables are written.
  private let temporary: LockedDirectory
  private let replacing: ManifestReader?
  private let canReplace: Bool
  /// The names of the variants of the earlier run that this one replaces.
  public let replacedVariants: [String]
  private var isComplete = false

  /// A function that returns the names of the variants in a manifest, or nil for a file that is not a manifest of
  /// Galley.
  public typealias ManifestReader = ([UInt8]) -> [String]?

  /// - Parameters:
  ///   - replacing: the reader of an earlier run's manifest. Everything that the manifest lists may be replaced. With nil,
  ///     an existing directory is never replaced.
  ///   - canReplace: Whether the verb has the option `--force`, which the error of an existing directory names.
  /// - Throws: `OutputError` if `path` exists and may not be replaced, or contains something that the manifest does not
  ///   list.
  public init(_ given: String, replacing: ManifestReader? = nil, canReplace: Bool = false) throws(OutputError) {
    let path = FileReplacement.resolved(Self.withoutTrailingSlash(given))
    let replacedVariants = try Self.check(path, named: given, replacing: replacing, canReplace: canReplace)
    let prefix = FileReplacement.temporaryPrefix(of: path)
    guard let temporary = LockedDirectory(prefix: prefix, removingLeftovers: Self.remove) else {
      throw OutputError(path, errno: errno)
    }
    try Self.makeReadable(temporary.path)
    self.path = path
    self.replacing = replacing
    self.canReplace = canReplace
    self.replacedVariants = replacedVariants
    self.temporary = temporary
  }

  /// Makes a directory that only its owner can read as readable as other directories. The mode of these is that of a
  /// new one: the mask of the process cannot be read without changing it for all threads.
  private static func makeReadable(_ path: String) throws(OutputError) {
    let sample = path + "/mode"
    var status = stat()
    guard mkdir(sample, 0o777) == 0, stat(sample, &status) == 0, rmdir(sample) == 0,
      chmod(path, status.st_mode & 0o777) == 0
    else { throw OutputError(path, errno: errno) }
  }

  deinit {
    if !isComplete { Self.remove(temporaryPath) }
  }

  public var temporaryPath: String { temporary.path }

  /// Moves the finished tables to their path.
  public mutating func complete() throws(OutputError) {
    let replaced = temporaryPath + ".old"
    let replaces = Self.exists(path)
    // The directory may have been created during this run.
    _ = try Self.check(path, named: path, replacing: replacing, canReplace: canReplace)
    // A reader finds tables at the path at any time, unless the file system cannot exchange directories.
    if replaces && galley_exchange(temporaryPath, path) == 0 {
      isComplete = true
      return Self.remove(temporaryPath)
    }
    if replaces && rename(path, replaced) != 0 { throw OutputError(path, errno: errno) }
    guard rename(temporaryPath, path) == 0 else {
      let failure = OutputError(path, errno: errno)
      if replaces { rename(replaced, path) }
      throw failure
    }
    isComplete = true
    if replaces { Self.remove(replaced) }
  }

  /// Writes a small file into the directory.
  public func write(_ bytes: [UInt8], to name: String) throws(OutputError) {
    let file = try OutputFile(creating: temporaryPath + "/" + name)
    try file.write(bytes)
    try file.synchronize()
  }

  /// Returns the variants that are to be replaced.
  private static func check(
    _ path: String, named given: String, replacing: ManifestReader?, canReplace: Bool
  ) throws(OutputError) -> [String] {
    guard exists(path) else { return [] }
    guard let replacing else {
      let reason = "exists already; choose another directory"
      throw OutputError(path: given, reason: canReplace ? reason + ", or replace it with --force" : reason)
    }
    guard let entries = DirectoryListing.names(in: path) else { throw OutputError(path, errno: errno) }
    if entries.isEmpty { return [] }
    let manifest = path + "/manifest.json"
    let variants = OutputFile.read(manifest, limit: maxManifestSize).flatMap(replacing)
    guard let variants else {
      throw foreign(exists(manifest) ? "manifest.json" : entries.min() ?? "", path)
    }
    for entry in entries.sorted() where entry != "manifest.json" && entry != RowHashTable.fileName {
      guard variants.contains(entry), isDirectory("\(path)/\(entry)") else { throw foreign(entry, path) }
      let files = DirectoryListing.names(in: "\(path)/\(entry)") ?? []
      for file in files.sorted() where !VariantTables.isOwn(file) {
        throw foreign("\(entry)/\(file)", path)
      }
    }
    return variants
  }

  private static func foreign(_ file: String, _ path: String) -> OutputError {
    OutputError(
      path: path,
      reason: "holds \(file), which is not of an earlier run, so that the directory is not replaced; "
        + "move \(file) away or choose another directory")
  }

  /// The largest number of bytes in a manifest.
  private static let maxManifestSize = 4 << 20

  package static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns whether a path is a directory. A link to a directory is not one.
  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file, or a directory with its contents. Links are removed, not followed.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let names = DirectoryListing.names(in: path)
    else {
      unlink(path)
      return
    }
    for name in names { remove(path + "/" + name) }
    rmdir(path)
  }
}
