import Glibc

/// The reason why a journal cannot be read or written.
public struct JournalError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String
  /// Whether the operation may succeed later, as when the disk is full or too many files are open. A file that is missing or
  /// too short remains so.
  public let canPass: Bool

  init(_ path: String, reason: String) { (self.path, self.reason, canPass) = (path, reason, false) }

  init(_ path: String, errno code: Int32) {
    self.path = path
    reason = String(cString: strerror(code))
    canPass = ![ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG].contains(code)
  }

  public var description: String { "\(path): \(reason)" }
}
