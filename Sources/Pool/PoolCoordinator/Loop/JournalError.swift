import Glibc

/// The reason why a journal cannot be read or written.
public struct JournalError: Error, Equatable, CustomStringConvertible {
  /// The path and the reason.
  public let description: String
  /// Whether the operation may succeed later, as when the disk is full or too many files are open. A file that is missing or
  /// too short remains so.
  public let canPass: Bool

  init(_ path: String, reason: String) { (description, canPass) = ("\(path): \(reason)", false) }

  init(_ path: String, errno code: Int32) {
    description = "\(path): \(String(cString: strerror(code)))"
    canPass = ![ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG].contains(code)
  }
}
