import Files
import Glibc

/// The directory of a run's tables: filled under a temporary name beside its place, and moved there when it is
/// complete, so that a reader never sees half a run and two runs never mix.
public struct OutputDirectory: ~Copyable {
  /// Where the tables are to be.
  public let path: String
  /// Where they are written.
  private let temporary: LockedDirectory
  private let replacing: ManifestReader?
  /// The variants of the earlier run that is there, which this one replaces.
  public let replacedVariants: [String]
  private var isComplete = false

  /// Returns the names of the variants that a manifest lists, or nil for a file that is no manifest of Galley's.
  public typealias ManifestReader = ([UInt8]) -> [String]?

  /// - Parameter replacing: reads the manifest of an earlier run, of which everything that it lists may be replaced;
  ///   nil if nothing may be.
  /// - Throws: `OutputError` when `path` exists and may not be replaced, or holds something that the manifest does not
  ///   list.
  public init(_ given: String, replacing: ManifestReader?) throws(OutputError) {
    let path = Self.resolved(given)
    let replacedVariants = try Self.check(path, replacing: replacing)
    let prefix = path + ".partial-"
    LockedDirectory.removeLeftovers(prefix: prefix, Self.remove)
    guard let temporary = LockedDirectory(prefix: prefix) else { throw OutputError(path, errno: errno) }
    // It is its owner's alone; tables are as readable as other files.
    let mask = umask(0)
    umask(mask)
    chmod(temporary.path, 0o777 & ~mask)
    self.path = path
    self.replacing = replacing
    self.replacedVariants = replacedVariants
    self.temporary = temporary
  }

  deinit {
    if !isComplete { Self.remove(temporaryPath) }
  }

  public var temporaryPath: String { temporary.path }

  /// Moves the finished tables to their place.
  public mutating func complete() throws(OutputError) {
    let replaced = temporaryPath + ".old"
    let replaces = Self.exists(path)
    // It may have come into being while this run was at work.
    _ = try Self.check(path, replacing: replacing)
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
  private static func check(_ path: String, replacing: ManifestReader?) throws(OutputError) -> [String] {
    guard exists(path) else { return [] }
    guard let replacing else {
      throw OutputError(path: path, reason: "exists already; choose another directory, or replace it with --force")
    }
    guard let entries = DirectoryListing.names(in: path) else { throw OutputError(path, errno: errno) }
    if entries.isEmpty { return [] }
    let manifest = path + "/manifest.json"
    let variants = OutputFile.read(manifest, limit: maxManifestSize).flatMap(replacing)
    guard let variants else {
      throw foreign(exists(manifest) ? "manifest.json" : entries.min() ?? "", path)
    }
    for entry in entries.sorted() where entry != "manifest.json" {
      guard variants.contains(entry), isDirectory("\(path)/\(entry)") else { throw foreign(entry, path) }
      let files = DirectoryListing.names(in: "\(path)/\(entry)") ?? []
      for file in files.sorted() where !VariantTables.fileNames.contains(file) {
        throw foreign("\(entry)/\(file)", path)
      }
    }
    return variants
  }

  private static func foreign(_ file: String, _ path: String) -> OutputError {
    OutputError(
      path: path,
      reason: "holds \(file), which is not of an earlier run, so that --force does not replace the directory; "
        + "move the file away or choose another directory")
  }

  /// Bytes of a manifest at most.
  private static let maxManifestSize = 4 << 20

  /// The path that a link leads to, or the path itself where nothing is yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return withoutTrailingSlash(path) }
    defer { free(real) }
    return String(cString: real)
  }

  private static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// False for a link to one.
  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file, or a directory with what is in it; links are removed, not followed.
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
