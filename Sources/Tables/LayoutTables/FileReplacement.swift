import Glibc
import Processes

/// A file that is written under a temporary name beside its path and then replaces what is there, so that a reader never
/// sees half a file, and a run that fails leaves the earlier file.
public struct FileReplacement: ~Copyable {
  /// The path that the file will have.
  public let path: String
  private let directory: LockedDirectory

  /// - Parameter given: The path of the file. A link is followed, so that it leads to the new file afterwards.
  public init(_ given: String) throws(OutputError) {
    let path = Self.resolved(given)
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw OutputError(path: path, reason: "is not a regular file, and is not replaced; remove it, or the link to it")
    }
    let prefix = Self.temporaryPrefix(of: path)
    guard let directory = LockedDirectory(prefix: prefix, removingLeftovers: Self.remove) else {
      throw OutputError(path, errno: errno)
    }
    self.path = path
    self.directory = directory
  }

  deinit { Self.remove(directory.path) }

  /// Returns the beginning of the temporary names of a file or a directory. What has such a name is removed if it was left, so that
  /// it is none that a user would choose.
  static func temporaryPrefix(of name: String) -> String { name + partial }

  private static let partial = ".galley-partial-"

  /// Returns the path that a file at a temporary path, or in a temporary directory, has when it is complete.
  static func completedPath(_ path: String) -> String {
    guard let mark = path.ranges(of: partial).last else { return path }
    let rest = path[mark.upperBound...].drop { $0 != "/" }
    return String(path[..<mark.lowerBound] + (rest == file(in: "") ? "" : rest))
  }

  /// The path of the file until it is complete. Nothing exists there at first.
  public var temporaryPath: String { Self.file(in: directory.path) }

  /// Moves the finished file to its path.
  public func complete() throws(OutputError) {
    guard rename(temporaryPath, path) == 0 else { throw OutputError(path, errno: errno) }
  }

  private static func file(in directory: String) -> String { directory + "/file" }

  private static func remove(_ directory: String) {
    unlink(file(in: directory))
    rmdir(directory)
  }

  /// Returns the path to which a link leads, or the path itself if nothing exists there.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
