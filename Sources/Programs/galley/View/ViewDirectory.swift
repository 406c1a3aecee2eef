import Foundation
import Processes

/// A directory for the tables of `galley view --watch`. It is removed when its object is released. Directories of processes
/// that were killed are removed when the next one is made.
final class ViewDirectory {
  /// What was left with such a name is removed, so that it is none that a user would choose.
  private static let prefix = ".galley-view-"
  /// The greatest number of bytes of rows whose tables are kept in memory. They are on disk for more rows.
  private static let memoryBytes = 64 << 20

  private let directory: LockedDirectory
  var path: String { directory.path }

  /// Makes the directory in `$TMPDIR`, or else in memory or in `/tmp`.
  ///
  /// - Parameter bytes: The number of bytes of the rows, or nil if it is not known.
  init(bytes: Int?) throws {
    let isSmall = bytes.map { $0 <= Self.memoryBytes } ?? false
    let stated = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : [$0] }
    let parents = stated ?? (isSmall ? ["/dev/shm"] : []) + ["/tmp"]
    for parent in parents {
      if let directory = LockedDirectory(prefix: "\(parent)/\(Self.prefix)", removingLeftovers: Self.remove) {
        self.directory = directory
        return
      }
    }
    throw RunFailure(
      message: "\(parents.last ?? ""): no directory for the tables can be made: \(String(cString: strerror(errno)))")
  }

  deinit { Self.remove(path) }

  /// Removes tables that are not shown any longer. Open files remain readable.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
