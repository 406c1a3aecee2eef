import Foundation
import Glibc
import Processes
import Testing

@Suite struct WriteAllTests {
  @Test func aFullNonBlockingPipeTakesAllBytes() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    // A pipe has room for 64 KiB.
    Thread.detachNewThread {
      _ = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
      try? pipe.fileHandleForWriting.close()
    }
    #expect(try pipe.fileHandleForReading.readToEnd() == Data(bytes))
  }

  @Test func bytesAreWrittenAtAnOffset() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let bytes: [UInt8] = [1, 2, 3]
    #expect(bytes.withUnsafeBytes { writeAll($0, to: fileno(file), at: 5) } == 0)
    var read = [UInt8](repeating: 9, count: 9)
    #expect(pread(fileno(file), &read, 9, 0) == 8)
    #expect(read == [0, 0, 0, 0, 0, 1, 2, 3, 9])
  }

  /// The system takes up to 1,024 buffers at a time.
  @Test func manyBuffersAreWrittenInOrder() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
    bytes.withUnsafeBytes { whole in
      let parts = (0..<3000).flatMap {
        [UnsafeRawBufferPointer(rebasing: whole[$0..<$0]), .init(rebasing: whole[$0...$0])]
      }
      #expect(writeAll(parts, to: fileno(file), at: 7) == 0)
      #expect(writeAll(parts, to: fileno(file), shouldStop: { true }) == EINTR)
      #expect(writeAll(parts, to: -1) == EBADF)
    }
    var read = [UInt8](repeating: 9, count: 3008)
    #expect(pread(fileno(file), &read, 3008, 0) == 3007)
    #expect(Array(read[7..<3007]) == bytes)
    #expect(writeAll([], to: fileno(file)) == 0)
  }

  @Test func theErrorOfTheSystemIsReturned() {
    #expect([UInt8(1)].withUnsafeBytes { writeAll($0, to: -1) } == EBADF)
  }
}
