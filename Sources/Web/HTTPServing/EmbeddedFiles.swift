import CEmbeddedFiles
import Glibc

/// The text files of the sources that are a part of the program: pages, examples, and programs for devices.
///
/// A path that `CEmbeddedFiles` does not list is an error of the program.
public enum EmbeddedFiles {
  /// All files by their paths from Sources.
  private static let files: [(path: String, bytes: [UInt8])] = {
    var files: [(path: String, bytes: [UInt8])] = []
    while let file = galley_embedded_file_at(Int32(files.count))?.pointee {
      let text = UnsafeRawBufferPointer(start: file.text, count: strlen(file.text))
      files.append((String(cString: file.path), Array(text)))
    }
    return files
  }()

  /// Returns a file.
  public static func file(_ path: String) -> [UInt8] {
    guard let file = files.first(where: { $0.path == path }) else { preconditionFailure("\(path) is not embedded") }
    return file.bytes
  }

  /// Returns the files of a directory, without those of its subdirectories, in the order in which they are listed.
  public static func files(in directory: String) -> [(name: String, bytes: [UInt8])] {
    let prefix = directory + "/"
    let found = files.filter { $0.path.hasPrefix(prefix) }
      .map { (name: String($0.path.dropFirst(prefix.count)), bytes: $0.bytes) }
      .filter { !$0.name.contains("/") }
    precondition(!found.isEmpty, "\(directory) has no embedded files")
    return found
  }
}
