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
