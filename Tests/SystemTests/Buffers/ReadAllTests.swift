import Buffers
import Foundation
import Glibc
import Testing

@Suite struct ReadAllTests {
  private func read(_ count: Int, from descriptor: Int32, at offset: Int? = nil) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { readAll(into: $0, from: descriptor, at: offset) }
    return read.map { Array(bytes.prefix($0)) }
  }

  @Test func aPipeThatIsWrittenInPartsFillsTheBuffer() {
    let pipe = Pipe()
    Thread.detachNewThread {
      for byte in UInt8(1)...5 {
        pipe.fileHandleForWriting.write(Data([byte]))
        usleep(1000)
      }
      try? pipe.fileHandleForWriting.close()
    }
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(read(4, from: descriptor) == [1, 2, 3, 4])
    #expect(read(4, from: descriptor) == [5], "the end of the file is before that of the buffer")
    #expect(read(4, from: descriptor) == [])
  }

  @Test func bytesAreReadAtAnOffset() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    #expect(pwrite(fileno(file), [UInt8](1...9), 9, 0) == 9)
    #expect(read(3, from: fileno(file), at: 4) == [5, 6, 7])
    #expect(read(3, from: fileno(file), at: 8) == [9])
    #expect(read(0, from: fileno(file), at: 4) == [])
    #expect(read(2, from: fileno(file)) == [1, 2], "the position of the file has not changed")
  }

  @Test func anErrorHasItsNumber() {
    #expect(read(1, from: -1) == nil && errno == EBADF)
  }
}
