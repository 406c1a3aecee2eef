import Glibc

/// The listing of a directory.
public enum DirectoryListing {
  /// Returns the names in a directory, in no order. Returns nil and sets `errno` for a path that is not a directory or
  /// cannot be read.
  public static func names(in path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
