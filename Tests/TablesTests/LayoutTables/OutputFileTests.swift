import Foundation
import Glibc
import Testing

@testable import LayoutTables

@Suite struct OutputFileTests {
  @Test func reservedSpaceIsReleasedWhenTheFileIsSynchronized() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)").path
    defer { unlink(path) }
    let file = try OutputFile(creating: path)
    let block = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<33 { try file.write(block) }
    try file.synchronize()
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_size == 33 << 20)
    #expect(Int(status.st_blocks) * 512 < 34 << 20)
  }
}
