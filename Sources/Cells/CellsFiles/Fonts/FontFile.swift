import Buffers
import CellTemplates
import Glibc

/// A font file of a program.
struct ProgramFont: Equatable {
  let path: String
  /// Whether only fontconfig found it. Its file is then mapped; see `FontFile.bytes`.
  let isInstalled: Bool
  let identity: FileIdentity

  /// Whether the file is mapped, and was written since.
  var isWrittenInPlace: Bool { isInstalled && FileIdentity(path: path).map { identity.isWritten(in: $0) } == true }
}

/// A font file. A file that must be decoded is decoded at once; the bytes of other files are read or mapped later.
struct FontFile {
  let path: String
  /// The format from which the font was decoded, or nil for a plain font.
  let format: WebFont.Format?
  /// The file that was opened, which another may replace at its path.
  let identity: FileIdentity
  private let decoded: OwnedBytes?

  /// - Throws: `CellError` for a path that is not a file, and for a file that cannot be read or decoded.
  init(_ path: String) throws(CellError) {
    self.path = path
    let (descriptor, status) = try Self.open(path)
    let size = Int(status.st_size)
    identity = FileIdentity(status)
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: min(size, 4))
    let hasHead = head.withUnsafeMutableBytes { readAll(into: $0, from: descriptor) == $0.count }
    format = hasHead ? WebFont.Format(head) : nil
    guard let format else {
      decoded = nil
      return
    }
    guard size <= WebFont.limit else { throw CellError("has more than \(WebFont.limit >> 20) MiB") }
    var stored = [UInt8](repeating: 0, count: size)
    guard stored.withUnsafeMutableBytes({ readAll(into: $0, from: descriptor, at: 0) == size }) else {
      throw CellError("changes while it is read")
    }
    decoded = OwnedBytes(copying: try WebFont.decode(stored, format))
  }

  /// Returns the bytes of the file or of the decoded font, or nil if the file is not the one that was opened any more.
  ///
  /// - Parameter maps: Whether to map a file that is not decoded. This is for installed fonts, which are large and which package
  ///   managers replace by a rename. A program that shortens a mapped file in place ends this process (SIGBUS).
  func bytes(maps: Bool) -> OwnedBytes? {
    if let decoded { return decoded }
    guard let (descriptor, status) = try? Self.open(path) else { return nil }
    let count = Int(status.st_size)
    guard FileIdentity(status) == identity else {
      close(descriptor)
      return nil
    }
    // A few file systems cannot map files.
    if maps, let file = MappedFile(descriptor, count: count, staysOpen: true) {
      return OwnedBytes(file.bytes, keeping: file)
    }
    defer { close(descriptor) }
    var isRead = false
    let bytes = OwnedBytes(filling: count) { isRead = readAll(into: $0, from: descriptor) == count }
    return isRead ? bytes : nil
  }

  /// Opens a regular file. A pipe or a device has no known length, and opening it may wait forever.
  private static func open(_ path: String) throws(CellError) -> (descriptor: Int32, status: stat) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw CellError("cannot be read: \(String(cString: strerror(errno)))") }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      return (descriptor, status)
    }
    close(descriptor)
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw CellError("cannot be read: it is a directory")
    case S_IFREG: throw CellError("is not a font file: it is empty")
    default: throw CellError("cannot be read: it is a pipe or a device, not a file")
    }
  }
}
