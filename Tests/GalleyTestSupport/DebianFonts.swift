import Buffers
import Foundation
import Synchronization

/// Font files that Debian's packages install, by file name.
public enum DebianFonts {
  private static let files: [String: URL] = {
    var files: [String: URL] = [:]
    let found = FileManager.default.enumerator(
      at: URL(fileURLWithPath: "/usr/share/fonts"), includingPropertiesForKeys: nil)
    while let url = found?.nextObject() as? URL { files[url.lastPathComponent] = url }
    return files
  }()

  /// The file's path, or an error that names the missing file.
  public static func path(_ name: String) throws -> String {
    guard let url = files[name] else { throw MissingFont(name: name) }
    return url.path
  }

  private static let contents = Mutex<[String: ByteString]>([:])

  /// Returns the bytes of a file. They are read once and never deallocated, because faces refer to them as long as the tests
  /// run.
  public static func bytes(_ name: String) throws -> ByteString {
    let path = try path(name)
    return try contents.withLock { contents in
      if let known = contents[name] { return known }
      let bytes = Programs.keep([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
      contents[name] = bytes
      return bytes
    }
  }

  public struct MissingFont: Error, CustomStringConvertible {
    let name: String
    public var description: String { "\(name) is not under /usr/share/fonts; deploy/packages lists what to install" }
  }
}
