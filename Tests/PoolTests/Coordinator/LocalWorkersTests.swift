import Foundation
import Testing
import ZeroMQ

@testable import PoolCoordinator

@Suite struct LocalWorkersTests {
  /// Returns workers that sleep. A shell ignores the arguments that are added.
  private func sleepers(seconds: Int = 100) throws -> LocalWorkers {
    try LocalWorkers(command: ["/bin/sh", "-c", "exec sleep \(seconds)"])
  }

  @Test func theEarlyProcessIsTheOneThatIsStartedNext() throws {
    let workers = try sleepers()
    let first = try workers.start()
    let second = try workers.start()
    #expect(first.id != second.id && first.session != second.session)
    workers.kill(Int64(first.id))
    var ended: [(process: pid_t, how: String)] = []
    while ended.isEmpty { ended = workers.takeEnded() }
    #expect(ended.map(\.process) == [first.id] && ended.map(\.how) == ["signal 9 (Killed)"])
  }

  @Test func anEarlyProcessThatNobodyHasAskedForEndsWithTheOthers() throws {
    let seconds = Int.random(in: 1_000_000...9_999_999)
    let workers = try sleepers(seconds: seconds)
    let commandLine = "sleep\0\(seconds)\0"
    // The system shows the arguments a moment after it has started the program.
    var looks = 0
    while !isRunning(commandLine) && looks < 2000 {
      usleep(1000)
      looks += 1
    }
    #expect(looks < 2000)
    workers.stop()
    #expect(!isRunning(commandLine))
  }

  private func isRunning(_ commandLine: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") == Data(commandLine.utf8) }
  }

  /// Parents such as some supervisors let their children inherit the signal as ignored.
  @Test func endsAreNoticedWhereTheSignalOfEndedChildrenWasIgnored() throws {
    signal(SIGCHLD, SIG_IGN)
    let workers = try LocalWorkers(command: ["/bin/true"])
    let process = try workers.start()
    var ended: [(process: pid_t, how: String)] = []
    let deadline = ContinuousClock.now + .seconds(20)
    while ended.isEmpty && .now < deadline { ended = workers.takeEnded() }
    #expect(ended.map(\.process) == [process.id] && ended.map(\.how) == ["exit code 0"])
  }

  @Test func aCommandThatCannotBeStartedIsReportedWhenItIsAskedFor() throws {
    let workers = try LocalWorkers(command: ["/bin/no-such-command"])
    let error = #expect(throws: ZeroMQError.self) { try workers.start() }
    #expect(error?.description == "cannot start a worker process: No such file or directory")
  }
}
