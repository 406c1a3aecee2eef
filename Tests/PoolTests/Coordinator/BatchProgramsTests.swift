import Buffers
import Hashing
import PosixMemory
import Testing

@testable import PoolCoordinatorCore

@Suite struct BatchProgramsTests {
  private static let program = OwnedBytes(copying: [1, 2, 3])
  private static let id = program.withBytes { SHA256.hash($0) }

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

  @Test func theProgramOfABatchThatASpoolHasNoRoomForDoesNotCountForTheSpool() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 2)
    let refusal = submit(to: coordinator)
    #expect(
      refusal == [
        "failed: the spool has no room: 0 of 0 MiB (--spool-limit) are used or reserved for results; "
          + "start the coordinator with a larger one"
      ])
    coordinator.send(.status)
    #expect(coordinator.status.spoolBytes == 0 && coordinator.status.accepting)
  }

  @Test func aProgramThatCannotBeStoredDoesNotCountForTheSpool() {
    let coordinator = CoordinatorUnderTest()
    #expect(submit(to: coordinator) == ["create journal with program"])
    coordinator.noteFailure(.create)
    coordinator.send(.status)
    #expect(coordinator.status.spoolBytes == 0)
    #expect(submit(to: coordinator) == ["create journal with program"], "the client has sent it again")
    coordinator.send(.status)
    #expect(coordinator.status.spoolBytes == 3)
  }

  @Test func aStoredProgramStaysWhenALaterJournalCannotBeCreated() {
    let coordinator = CoordinatorUnderTest()
    #expect(submit(to: coordinator) == ["create journal with program"])
    coordinator.handle(.journalCreated(coordinator.batch, bytes: 100))
    _ = coordinator.cancelAll()
    #expect(coordinator.submit(program: Self.id, session: 6) == ["create journal with program"])
    coordinator.noteFailure(.create)
    coordinator.send(.status)
    #expect(coordinator.status.spoolBytes == 3 && !coordinator.status.accepting)
  }

  /// Submits a batch with a program of three bytes that the coordinator lacks. Returns the effects of the program.
  private func submit(to coordinator: CoordinatorUnderTest) -> [String] {
    #expect(coordinator.submit(program: Self.id) == ["program wanted from 0"])
    return coordinator.sendProgram(Self.program)
  }
}
