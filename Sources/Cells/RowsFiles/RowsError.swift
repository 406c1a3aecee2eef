import Glibc

/// An error of an input whose rows cannot be read.
public struct RowsError: Error, Equatable, CustomStringConvertible {
  /// The name of the input.
  public let name: String
  /// The reason, which completes a sentence that begins with the name.
  public let reason: String

  public var description: String { "\(name): \(reason)" }

  init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }

  /// Creates the error of a file that another process has truncated.
  init(name: String, truncatedTo bytes: Int, of size: Int) {
    self.init(
      name: name,
      reason: "was truncated while it was read: \(bytes) of its \(size) bytes were read; run again when it is complete")
  }

  init(name: String, errno code: Int32) {
    // Swift replaces bytes of an argument that are not UTF-8, so that the path names no file.
    let isReplaced = code == ENOENT && name.unicodeScalars.contains("\u{FFFD}")
    let wayOut = isReplaced ? "; rename the file if its name is not UTF-8" : ""
    self.init(name: name, reason: "cannot be read: \(String(cString: strerror(code)))\(wayOut)")
  }
}
