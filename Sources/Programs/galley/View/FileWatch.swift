import CellsFiles

/// The files that are watched for changes. Editors write a file in place, or replace it by renaming another one.
struct FileWatch {
  private let paths: [String]
  /// The identities at the last change that was reported, and at the last check.
  private var known: [FileIdentity?]
  private var last: [FileIdentity?]
  /// The number of checks since a file is missing.
  private var missing = 0

  /// The number of checks after which a missing file is a change. Between removing and renaming it is missing for a moment.
  private static let missingLimit = 50

  init(_ paths: [String]) {
    self.paths = paths
    known = paths.map { FileIdentity(path: $0) }
    last = known
  }

  /// Returns the paths of the files that have changed since the last change, or nil. A file that is being written has
  /// changed only when it is the same at two checks.
  mutating func check() -> [String]? {
    let now = paths.map { FileIdentity(path: $0) }
    defer { last = now }
    missing = now.contains(nil) ? missing + 1 : 0
    guard now == last, now != known, missing == 0 || missing > Self.missingLimit else { return nil }
    defer { known = now }
    return paths.indices.filter { now[$0] != known[$0] }.map { paths[$0] }
  }
}
