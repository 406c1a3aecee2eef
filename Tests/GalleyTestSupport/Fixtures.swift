import Foundation

/// Files under `Tests/Fixtures`.
public enum Fixtures {
  public static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(name)
  }

  public static func lines(_ name: String) throws -> [Data] {
    try Data(contentsOf: url(name)).split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }
}

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

  public struct MissingFont: Error, CustomStringConvertible {
    let name: String
    public var description: String { "\(name) is not under /usr/share/fonts; deploy/packages lists what to install" }
  }
}
