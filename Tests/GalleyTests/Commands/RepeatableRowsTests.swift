import Buffers
import Dispatch
import Foundation
import GalleyTestSupport
import RowsFiles
import Synchronization
import Testing

@testable import galley

/// Rows that are read again after the coordinator has lost their batch.
@Suite struct RepeatableRowsTests {
  private static func text(_ chunk: RowsChunk<OwnedBytes>) -> String {
    chunk.lines.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Another thread reads rows ahead, and waits for the pipe when the rows begin again.
  @Test func rowsFromAPipeBeginAgainWhileAThreadWaitsForThem() throws {
    let pipe = Pipe()
    let lines = (0..<3000).map { "{\"n\":\($0)}\n" }
    let first = lines.prefix(1000).joined()
    // The bytes end within a row.
    pipe.fileHandleForWriting.write(Data((first + "{\"n\"").utf8))
    let rows = Unchecked(try RepeatableRows(["/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"]))
    let ended = DispatchSemaphore(value: 0)
    let bytesRead = Atomic<Int>(0)
    Thread.detachNewThread {
      while let chunk = try? rows.value.next(bytes: 4096, copy: { OwnedBytes(copying: $0) }) {
        bytesRead.add(chunk.lines.count, ordering: .relaxed)
      }
      ended.signal()
    }
    try eventually { bytesRead.load(ordering: .relaxed) > 8000 }
    rows.value.endRead()
    ended.wait()
    #expect(try rows.value.begin())
    pipe.fileHandleForWriting.write(Data((":1000}\n" + lines.dropFirst(1001).joined()).utf8))
    try pipe.fileHandleForWriting.close()
    var all = ""
    while let chunk = try rows.value.next(bytes: 4096, copy: { OwnedBytes(copying: $0) }) { all += Self.text(chunk) }
    #expect(all == lines.joined())
  }
}

/// A value that only one thread uses at a time, as the test is written.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
