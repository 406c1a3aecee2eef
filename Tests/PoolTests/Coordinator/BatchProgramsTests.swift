import Buffers
import PosixMemory
import Testing

@testable import PoolCoordinatorCore

@Suite struct BatchProgramsTests {
  @Test func whenAWorkerCannotMapAFileAllWorkersReadCopies() throws {
    let parts = [OwnedBytes(copying: Array("head".utf8)), try OwnedBytes.mapped("font")]
    var programs = BatchPrograms([(id: [1], parts: parts)], sharesFiles: true)
    let shared = programs.share([1], SystemMemory())
    programs.stopSharingFiles()
    let copied = programs.share([1], SystemMemory())
    let bytes = programs.bytes(of: [1])
    #expect(shared?.range.count == 4 && shared?.files.map(\.count) == [4])
    #expect(copied?.range.count == 8 && copied?.files == [])
    #expect(bytes.map { Array($0.bytes) } == Array("headfont".utf8))
  }
}
