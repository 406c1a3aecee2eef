import Buffers
import Foundation
import Testing

extension OwnedBytes {
  /// Returns the bytes of a mapped file with a text, which is in no directory any more.
  static func mapped(_ text: String) throws -> OwnedBytes {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("font-\(UUID().uuidString)").path
    defer { unlink(path) }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let file = try #require(MappedFile(open(path, O_RDONLY), count: text.utf8.count, staysOpen: true))
    return OwnedBytes(file.bytes, keeping: file)
  }
}
