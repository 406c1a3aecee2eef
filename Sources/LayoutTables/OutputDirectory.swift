import Glibc

/// The directory of a run's tables: filled under a temporary name beside its place, and moved there when it is
/// complete, so that a reader never sees half a run and two runs never mix.
public struct OutputDirectory: ~Copyable {
  /// Where the tables are to be.
  public let path: String
  /// Where they are written.
  public let temporaryPath: String
  private var isComplete = false

  /// - Throws: when `path` exists and `replacing` is not given, or holds something other than tables.
  public init(_ path: String, replacing: Bool) throws(OutputError) {
    let temporaryPath = Self.withoutTrailingSlash(path) + ".partial-\(getpid())"
    if Self.exists(path) {
      guard replacing else {
        throw OutputError(path: path, reason: "exists already; choose another directory, or replace it with --force")
      }
      guard Self.isReplaceable(path) else {
        throw OutputError(
          path: path, reason: "is not a directory of tables (it has no manifest.json), so --force does not replace it")
      }
    }
    guard mkdir(temporaryPath, 0o777) == 0 else { throw OutputError(temporaryPath, errno: errno) }
    self.path = path
    self.temporaryPath = temporaryPath
  }

  deinit { if !isComplete { Self.remove(temporaryPath) } }

  /// Moves the finished tables to their place.
  public mutating func complete() throws(OutputError) {
    let replaced = temporaryPath + ".old"
    let replaces = Self.exists(path)
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

  private static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Empty, or the tables of an earlier run.
  private static func isReplaceable(_ path: String) -> Bool {
    exists(path + "/manifest.json") || isEmpty(path)
  }

  private static func isEmpty(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      if name(of: entry) != "." && name(of: entry) != ".." { return false }
    }
    return true
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafeBytes(of: &entry.pointee.d_name) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Removes a file, or a directory with what is in it; links are removed, not followed.
  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) else {
      unlink(path)
      return
    }
    var names: [String] = []
    while let entry = readdir(directory) { names.append(name(of: entry)) }
    closedir(directory)
    for name in names where name != "." && name != ".." { remove(path + "/" + name) }
    rmdir(path)
  }
}
