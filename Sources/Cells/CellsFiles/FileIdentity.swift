import Glibc

/// What the file system says about the file or directory at a path. It changes whenever the file is written to or
/// replaced, except within the resolution of the file system's times; see `isOlder(than:)`.
package struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let mode: UInt32
  private let size: Int64
  private let modification: Time
  /// The time of the last change of the file or its properties. No program can set it.
  private let change: Time

  private struct Time: Equatable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) { (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec)) }
  }

  init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    (mode, size) = (UInt32(status.st_mode), Int64(status.st_size))
    (modification, change) = (Time(status.st_mtim), Time(status.st_ctim))
  }

  /// Whether another identity is that of the same file after its bytes were written. A file that replaces it by a rename is another
  /// one.
  func isWritten(in later: FileIdentity) -> Bool {
    isSameFile(as: later) && (size != later.size || modification != later.modification)
  }

  /// Whether another identity is that of the same file, though links may lead to it, and it may have been written to.
  package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  /// Follows symbolic links. Returns nil where there is no file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether there is neither a directory nor a pipe or a device.
  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }

  /// Returns whether the last change was before a time in seconds since 1970.
  func isOlder(than seconds: Int64) -> Bool { change.seconds < seconds }

  /// The numbers, by which identities are hashed.
  var numbers: [UInt64] {
    [
      device, inode, UInt64(mode), UInt64(bitPattern: size), UInt64(bitPattern: modification.seconds),
      UInt64(bitPattern: modification.nanoseconds), UInt64(bitPattern: change.seconds),
      UInt64(bitPattern: change.nanoseconds),
    ]
  }
}
