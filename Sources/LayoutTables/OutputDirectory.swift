import Glibc

/// The directory of a run's tables: filled under a temporary name beside its place, and moved there when it is
/// complete, so that a reader never sees half a run and two runs never mix.
public struct OutputDirectory: ~Copyable {
  /// Where the tables are to be.
  public let path: String
  /// Where they are written.
  private let temporary: LockedDirectory
  private let replacing: Bool
  private var isComplete = false

  /// - Throws: when `path` exists and `replacing` is not given, or holds something other than tables.
  public init(_ given: String, replacing: Bool) throws(OutputError) {
    let path = Self.resolved(given)
    try Self.check(path, replacing: replacing)
    let prefix = path + ".partial-"
    LockedDirectory.removeLeftovers(prefix: prefix, Self.remove)
    guard let temporary = LockedDirectory(prefix: prefix) else { throw OutputError(path, errno: errno) }
    // It is its owner's alone; tables are as readable as other files.
    let mask = umask(0)
    umask(mask)
    chmod(temporary.path, 0o777 & ~mask)
    self.path = path
    self.replacing = replacing
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
    try Self.check(path, replacing: replacing)
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

  private static func check(_ path: String, replacing: Bool) throws(OutputError) {
    guard exists(path) else { return }
    guard replacing else {
      throw OutputError(path: path, reason: "exists already; choose another directory, or replace it with --force")
    }
    guard isReplaceable(path) else {
      throw OutputError(path: path, reason: "holds something other than tables, so --force does not replace it")
    }
  }

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

  /// Nothing but what a run writes: a manifest, and directories of Arrow files.
  private static func isReplaceable(_ path: String) -> Bool {
    guard let entries = DirectoryListing.names(in: path) else { return false }
    return entries.allSatisfy { entry in
      entry == "manifest.json"
        || (DirectoryListing.names(in: "\(path)/\(entry)")?.allSatisfy { $0.hasSuffix(".arrow") } ?? false)
    }
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
