import CEmbeddedFiles

/// The text files of the sources that are a part of the program: pages, examples, and programs for devices.
public enum EmbeddedFiles {
  /// All files by their paths from Sources.
  private static let files: [(path: String, bytes: [UInt8])] = {
    var files: [(path: String, bytes: [UInt8])] = []
    while let file = galley_embedded_file_at(Int32(files.count)) {
      files.append((String(cString: file.pointee.path), Array(String(cString: file.pointee.text).utf8)))
    }
    return files
  }()

  /// Returns a file. A file that `CEmbeddedFiles` does not list is an error of the program.
  public static func file(_ path: String) -> [UInt8] {
    guard let file = files.first(where: { $0.path == path }) else { preconditionFailure("\(path) is not embedded") }
    return file.bytes
  }

  /// Returns the files of a directory, without those of its subdirectories, in the order in which they are listed.
  public static func files(in directory: String) -> [(name: String, bytes: [UInt8])] {
    let prefix = directory + "/"
    return files.filter { $0.path.hasPrefix(prefix) }
      .map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }
      .filter { !$0.0.contains("/") }
  }
}
