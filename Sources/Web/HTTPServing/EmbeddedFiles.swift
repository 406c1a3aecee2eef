import CEmbeddedFiles
import Glibc

/// The text files of the sources that are a part of the program: pages, examples, and programs for devices.
///
/// A path that `CEmbeddedFiles` does not list is an error of the program.
public enum EmbeddedFiles {
  public static func file(_ path: String) -> [UInt8] {
    guard let file = files(where: { $0 == path }).first else { preconditionFailure("\(path) is not embedded") }
    return file.bytes
  }

  /// Returns the files of a directory, without those of its subdirectories, in the order in which they are listed.
  public static func files(in directory: String) -> [(name: String, bytes: [UInt8])] {
    let prefix = directory + "/"
    let found = files { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
    precondition(!found.isEmpty, "\(directory) has no embedded files")
    return found.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }
  }

  /// Returns the files with certain paths from Sources. The bytes of others are not copied.
  private static func files(where isIncluded: (String) -> Bool) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    var index: Int32 = 0
    while let file = galley_embedded_file_at(index)?.pointee {
      let path = String(cString: file.path)
      if isIncluded(path) {
        files.append((path, Array(UnsafeRawBufferPointer(start: file.text, count: strlen(file.text)))))
      }
      index += 1
    }
    return files
  }
}
