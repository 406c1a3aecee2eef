import Glibc

/// The properties of a file by which a change of its contents is noticed: editors write a file in place, or replace it by
/// renaming another one.
struct FileStamp: Equatable {
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Returns nil for a file that does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

/// The files that are watched for changes.
struct FileWatch {
  private let paths: [String]
  /// The stamps at the last change that was reported, and at the last check.
  private var known: [FileStamp?]
  private var last: [FileStamp?]
  /// The number of checks since a file is missing.
  private var missing = 0

  /// The number of checks after which a missing file is a change. Between removing and renaming it is missing for a moment.
  private static let missingLimit = 50

  init(_ paths: [String]) {
    self.paths = paths
    known = paths.map { FileStamp($0) }
    last = known
  }

  /// Returns the paths of the files that have changed since the last change, or nil. A file that is being written has
  /// changed only when it is the same at two checks.
  mutating func check() -> [String]? {
    let now = paths.map { FileStamp($0) }
    defer { last = now }
    missing = now.contains(nil) ? missing + 1 : 0
    guard now == last, now != known, missing == 0 || missing > Self.missingLimit else { return nil }
    defer { known = now }
    return paths.indices.filter { now[$0] != known[$0] }.map { paths[$0] }
  }
}
