import Foundation
import GalleyTestSupport
import Testing

/// Tests of the logs of real processes.
@Suite struct LogTests {
  private let scratch = Scratch()
  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  /// A line of a log in JSON.
  private struct Line: Decodable {
    let time: String
    let level: String
    let process: String
    let pid: Int
    let message: String
  }

  /// Returns the lines of standard error, each of which must be a JSON object with a time and a level.
  private func lines(_ outcome: Galley.Outcome) throws -> [Line] {
    try outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { text in
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      #expect(line.time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil, "\(text)")
      #expect(["info", "warning", "error"].contains(line.level), "\(text)")
      return line
    }
  }

  private func fail(_ arguments: [String], code: Int32 = 1) throws -> Line {
    let outcome = try Galley.run(arguments + ["--log-format", "json"], environment: ["GALLEY_WAIT": ""])
    #expect(outcome.code == code)
    let lines = try lines(outcome)
    #expect(lines.count == 1, "\(outcome.errors)")
    return try #require(lines.last)
  }

  @Test func errorsOfServicesAndClientsAreLinesOfJSON() throws {
    let rows = try scratch.file("rows.jsonl", "{}\n")
    let cells = try scratch.file(
      "cells.yaml", "version: 1\ncells: {A: {layout: {type: node, calculatedSize: [100, 50]}}}")
    let bad = try scratch.file(
      "bad \"\\n\".yaml", "version: 1\ncells: {A: {layout: {type: nod}}, B: {layout: {type: tex}}}")
    func submit(_ cells: String, _ arguments: String...) -> [String] {
      ["submit", rows, "--cells", cells, "--width", "390", "--output", scratch.path("tables"), "--connect", endpoint]
        + arguments
    }
    let missing = "no coordinator listens at \(endpoint): "
    for command in [["worker", "--connect", endpoint], submit(cells)] {
      let line = try fail(command)
      #expect(line.level == "error" && line.message.hasPrefix(missing), "\(line.message)")
      #expect(line.process == "galley \(command[0])")
    }
    let coordinator = try fail(["coordinator", "--listen", "ipc:///nowhere/pool"])
    #expect(coordinator.level == "error" && coordinator.process == "galley coordinator")
    // The message has several lines, and a name with characters that JSON escapes.
    let mistakes = try fail(submit(bad))
    #expect(mistakes.message.contains("bad \"\\n\".yaml has 2 mistakes:\n"), "\(mistakes.message)")
    let usage = try fail(["coordinator", "--listen", "pool"], code: 2)
    #expect(usage.message == "pool is no ipc://PATH, ipc://@NAME or tcp://HOST:PORT endpoint")
    #expect(usage.process == "galley coordinator")
    let unknown = try fail(["worker", "--connect", endpoint, "--nonsense"], code: 2)
    #expect(unknown.message.hasPrefix("Unknown option '--nonsense'"), "\(unknown.message)")
    let twice = try fail(["worker", "--connect", endpoint, "--connect", endpoint], code: 2)
    #expect(twice.message == "--connect is given twice; it has one value")
    // The keys are read after the options.
    let keys = try fail(["coordinator", "--listen", endpoint, "--keys", scratch.path("none")])
    #expect(keys.message.contains("coordinator.key cannot be read: "), "\(keys.message)")
  }

  @Test(arguments: [
    (["layuot"], "galley layuot", "\"layuot\" is not a verb (did you mean \"layout\"?)"),
    (["help", "nothing"], "galley help", "\"nothing\" is not a verb"),
    (["--nonsense"], "galley", "Unknown option '--nonsense'"),
    (["schema", "--nonsense"], "galley schema", "Unknown option '--nonsense'"),
  ])
  func theVariableMakesEveryUsageErrorALineOfJSON(arguments: [String], process: String, message: String) throws {
    let outcome = try Galley.run(arguments, environment: ["GALLEY_LOG_FORMAT": "json"])
    #expect(outcome.code == 2)
    let lines = try lines(outcome)
    #expect(lines.count == 1 && lines[0].process == process, "\(outcome.errors)")
    #expect(lines.first?.message.hasPrefix(message) == true, "\(outcome.errors)")
    let text = try Galley.run(arguments + ["--log-format", "text"], environment: ["GALLEY_LOG_FORMAT": "json"])
    #expect(text.errors.hasPrefix("Error: "), "\(text.errors)")
  }

  @Test func everyEventOfAPoolIsALineOfJSON() throws {
    let options = ["--log-level", "info", "--log-format", "json"]
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint, "--workers", "1"] + options)
    let worker = try Galley.start(["worker", "--connect", endpoint] + options)
    try eventually { coordinator.errorsSoFar.split(separator: " joined").count > 2 }
    let messages = try lines(worker.end()).map(\.message)
    #expect(messages == ["connected to the coordinator at \(endpoint)", "the worker ends: signal 15"])
    let events = try lines(coordinator.end())
    #expect(Set(events.map(\.process)) == ["galley coordinator", "galley worker"])
    #expect(events.contains { $0.message == "the coordinator ends: signal 15" })
    #expect(events.contains { $0.message.hasPrefix("the worker ends: ") }, "\(events)")
  }

  @Test func aWorkerReportsThatItHasLostAndFoundItsCoordinator() throws {
    let first = try Pool(scratch)
    let worker = try first.start(["worker", "--connect", first.endpoint, "--log-level", "info"])
    try eventually { try first.state().workerCount == 1 }
    first.coordinator.end(by: SIGKILL)
    let second = try Pool(scratch)
    try eventually { try second.state().workerCount == 1 }
    try eventually { worker.errorsSoFar.contains(" again\n") }
    let outcome = worker.end()
    #expect(outcome.code == 0)
    let lines = outcome.errors.split(separator: "\n")
    let expected = [
      "connected to the coordinator at \(endpoint)", "lost the coordinator at \(endpoint): no message for ",
      "connected to the coordinator at \(endpoint) again", "the worker ends: signal 15",
    ]
    #expect(lines.count == expected.count, "\(outcome.errors)")
    for (line, message) in zip(lines, expected) {
      #expect(line.contains(#/^\d{4}-\d\d-\d\dT[0-9:.]+Z info galley worker\[\d+\]: /#), "\(line)")
      #expect(line.contains("]: \(message)"), "\(line)")
    }
  }
}
