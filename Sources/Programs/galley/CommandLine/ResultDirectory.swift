import Foundation

/// A directory to which a command adds files.
enum ResultDirectory {
  /// Creates a directory if it does not exist.
  ///
  /// - Parameter contents: What the directory is for.
  /// - Throws: `RunFailure` if a file is at its path, or if it cannot be created.
  static func create(_ path: String, for contents: String) throws {
    var isDirectory: ObjCBool = true
    if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
      throw RunFailure(message: "\(path): is a file; give the directory for \(contents)")
    }
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw RunFailure(message: "\(path): \(error.localizedDescription)")
    }
  }
}
