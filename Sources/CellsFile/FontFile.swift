import Glibc

/// A file of fonts: how long it is now, what is in it later.
struct FontFile {
  let path: String
  /// Bytes.
  let count: Int

  /// Nil for what is no file or cannot be read.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    self.path = path
    count = Int(status.st_size)
  }

  /// Reads as many bytes as there were; false if there are fewer by now.
  func read(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let room = UnsafeMutableRawBufferPointer(rebasing: rest)
      let count = Glibc.read(descriptor, room.baseAddress, room.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
