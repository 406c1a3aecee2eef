import ArgumentParser
import CellTemplates
import CellsFiles
import Foundation
import GalleyWorker
import LayoutTables
import LoadTesting
import PoolClientCore
import PoolCoordinator
import PoolProtocol
import PoolSecurity
import Processes
import RowsFiles
import ZeroMQ

/// Exit codes, a contract with scripts.
enum ExitStatus {
  static let good: Int32 = 0
  static let failed: Int32 = 1
  static let wrongUse: Int32 = 2
  static let badRows: Int32 = 3
}

/// The run failed; the message says why.
struct RunFailure: Error {
  let message: String
}

struct Galley: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley",
    abstract: "Lays out lists ahead of time: rows and cells files in, height and frame tables out.",
    discussion: """
      galley help cells has the format of cells files.
      Every option can also be given as an environment variable: GALLEY_ and its name, such as GALLEY_WORKERS=4.
      Exit codes: 0 all rows good, 1 the run failed, 2 wrong use, 3 done but some rows are bad.
      """,
    version: "galley \(Version.current)",
    subcommands: [
      LayoutCommand.self, DemoCommand.self, ExamplesCommand.self, SubmitCommand.self, FetchCommand.self,
      CancelCommand.self, CoordinatorCommand.self, WorkerCommand.self, StatusCommand.self, KeysCommand.self,
      LoadTestCommand.self, CheckCommand.self, InspectCommand.self, SchemaCommand.self,
    ])
}

enum Program {
  static func run(_ arguments: [String]) -> Never {
    do {
      if try CellsHelp.isShown(for: arguments) { exit(ExitStatus.good) }
      try checkVerb(arguments)
      var command = try Galley.parseAsRoot(EnvironmentOptions.adding(to: arguments))
      try command.run()
      exit(ExitStatus.good)
    } catch {
      exit(report(error))
    }
  }

  /// Refuses a verb that does not exist, with the one that may be meant.
  private static func checkVerb(_ arguments: [String]) throws {
    guard let verb = arguments.first, !verb.hasPrefix("-") else { return }
    let verbs = Galley.configuration.subcommands.map { $0._commandName } + ["help"]
    guard !verbs.contains(verb) else { return }
    throw ValidationError(
      "\"\(verb)\" is not a verb\(didYouMean(verb, among: verbs)); galley --help lists them, galley help cells has the cells "
        + "format")
  }

  /// Says what went wrong; answers the exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    if Interruption.isRequested { return Interruption.exitCode }
    if let message = message(of: error) {
      write("galley: \(message)\n")
      return ExitStatus.failed
    }
    let code = Galley.exitCode(for: error)
    let text = Galley.fullMessage(for: error)
    if code == .success {
      print(text)
      return ExitStatus.good
    }
    write(text + "\n")
    return ExitStatus.wrongUse
  }

  /// What went wrong, for people; nil for wrong use.
  static func message(of error: any Error) -> String? {
    switch error {
    case let error as RunFailure: error.message
    case let error as WorkerFailure: error.description
    case let error as LoadTestError: error.description
    case let error as CellsFileError:
      error.mistakes.count == 1
        ? error.description : "\(error.path) has \(error.mistakes.count) mistakes:\n\(error.description)"
    case let error as RowsError: "\(error.name): \(error.reason)"
    case let error as OutputError: "\(error.path): \(error.reason)"
    case let error as JobTable.Malformed: "a worker's result is malformed: \(error.reason)"
    case let error as ZeroMQError: error.description
    case let error as KeyError: error.description
    case PoolError.failed(let reason): reason
    case let error as JournalError: error.description
    case PoolError.otherRequest: "the interrupted run had other cells or widths; start anew without --resume"
    case PoolError.silent: "the coordinator does not answer; is it running, and is --connect right?"
    case PoolError.outOfOrder: "the coordinator's results are out of order"
    case PoolError.outOfSight: "the coordinator's results are not where it said"
    case PoolError.lostRows: "the coordinator has lost rows that it had said to keep; submit the batch again"
    default: nil
    }
  }

  static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
