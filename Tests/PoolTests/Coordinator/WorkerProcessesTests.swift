import Foundation
import Testing
import ZeroMQ

@testable import PoolCoordinator

@Suite struct WorkerProcessesTests {
  private let processes = WorkerProcesses(command: ["/bin/sleep", "100"])

  @Test func anEarlyProcessIsTheOneThatIsStartedNext() throws {
    defer { processes.stop() }
    processes.startEarly()
    let first = try processes.start()
    let second = try processes.start()
    #expect(first.id != second.id && first.session != second.session)
    processes.kill(Int64(first.id))
    var ended: [(process: pid_t, how: String)] = []
    while ended.isEmpty { ended = processes.takeEnded() }
    #expect(ended.map(\.process) == [first.id] && ended.map(\.how) == ["signal 9 (Killed)"])
  }

  @Test func anEarlyProcessThatNobodyHasAskedForEndsWithTheOthers() throws {
    let seconds = "\(Int.random(in: 1_000_000...9_999_999))"
    let processes = WorkerProcesses(command: ["/bin/sleep", seconds])
    let commandLine = "/bin/sleep\0\(seconds)\0"
    processes.startEarly()
    // The system shows the arguments a moment after it has started the program.
    var looks = 0
    while !isRunning(commandLine) && looks < 2000 {
      usleep(1000)
      looks += 1
    }
    #expect(looks < 2000)
    processes.stop()
    #expect(!isRunning(commandLine))
  }

  private func isRunning(_ commandLine: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") == Data(commandLine.utf8) }
  }

  /// Parents such as some supervisors let their children inherit the signal as ignored.
  @Test func endsAreNoticedWhereTheSignalOfEndedChildrenWasIgnored() throws {
    signal(SIGCHLD, SIG_IGN)
    let processes = WorkerProcesses(command: ["/bin/true"])
    let process = try processes.start()
    var ended: [(process: pid_t, how: String)] = []
    let deadline = ContinuousClock.now + .seconds(20)
    while ended.isEmpty && .now < deadline { ended = processes.takeEnded() }
    #expect(ended.map(\.process) == [process.id] && ended.map(\.how) == ["exit code 0"])
  }

  @Test func aCommandThatCannotBeStartedIsReportedWhenItIsAskedFor() {
    let processes = WorkerProcesses(command: ["/bin/no-such-command"])
    processes.startEarly()
    let error = #expect(throws: ZeroMQError.self) { try processes.start() }
    #expect(error?.description == "cannot start a worker process: No such file or directory")
  }
}
