import Buffers
import Foundation

/// An open file of a table, whose bytes are copied when they are needed.
///
/// The file is not mapped: another process may truncate or overwrite it, which would end this process with SIGBUS or change
/// values after they were checked. A file that has changed since it was opened is an error instead.
package final class TableFile: Sendable {
  package let path: String
  /// The number of bytes of the file when it was opened.
  package let size: Int
  private let descriptor: Int32
  private let opened: Stamp

  /// The properties of a file that change when its bytes are written.
  private struct Stamp: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      size = Int(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
  }

  /// - Throws: `TableError` for a file that does not exist or cannot be read.
  init(_ path: String) throws(TableError) {
    // Without waiting, because a FIFO has nothing to read until another process writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT
        ? TableError(path, "does not exist; copy all files of the directory again, or lay out the rows again")
        : Self.unreadable(path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw TableError(path, "cannot be read: it is not a regular file")
    }
    self.path = path
    self.descriptor = descriptor
    opened = Stamp(status)
    size = opened.size
  }

  deinit { close(descriptor) }

  /// Reads a range of bytes within the file. The bytes are those of the opened file only if `check` succeeds
  /// afterwards.
  ///
  /// - Throws: `TableError` if the file was truncated or cannot be read.
  func read(_ range: Range<Int>, into memory: UnsafeMutableRawBufferPointer) throws(TableError) {
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<range.count])
    guard let count = readAll(into: room, from: descriptor, at: range.lowerBound) else { throw Self.unreadable(path) }
    guard count == range.count else { throw Self.changed(path) }
  }

  /// Returns a range of bytes, with the reservation of `read`.
  func bytes(_ range: Range<Int>) throws(TableError) -> OwnedBytes {
    try OwnedBytes(filling: range.count) { (memory) throws(TableError) in try read(range, into: memory) }
  }

  /// Returns all bytes.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  func copy() throws(TableError) -> OwnedBytes {
    let bytes = try bytes(0..<size)
    try check()
    return bytes
  }

  /// Throws a `TableError` if the file has changed since it was opened.
  func check() throws(TableError) {
    // The system notes the time of a change before it changes the bytes.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
    guard Stamp(status) == opened else { throw Self.changed(path) }
  }

  /// Throws a `TableError` if another file has the path since the file was opened, or if the file has changed.
  func checkPath() throws(TableError) {
    var (current, opened) = (stat(), stat())
    guard stat(path, &current) == 0, fstat(descriptor, &opened) == 0, current.st_ino == opened.st_ino,
      current.st_dev == opened.st_dev
    else { throw Self.changed(path) }
    try check()
  }

  /// The number of bytes that `forEachPart` reads at a time.
  private static let partBytes = 1 << 20

  /// Calls a function with all bytes in their order, part by part.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  package func forEachPart(_ body: (UnsafeRawBufferPointer) -> Void) throws(TableError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.partBytes, alignment: 16)
    defer { memory.deallocate() }
    var start = 0
    while start < size {
      let range = start..<min(start + Self.partBytes, size)
      try read(range, into: memory)
      body(UnsafeRawBufferPointer(rebasing: memory[..<range.count]))
      start = range.upperBound
    }
    try check()
  }

  private static func changed(_ path: String) -> TableError {
    TableError(
      path,
      "was changed while it was open; open the tables again, and replace tables by renaming a new directory, as --force "
        + "does")
  }

  private static func unreadable(_ path: String) -> TableError {
    TableError(path, "cannot be read: \(String(cString: strerror(errno)))")
  }
}
