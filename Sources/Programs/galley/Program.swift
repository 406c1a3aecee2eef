import ArgumentParser
import CellTemplates
import CellsFiles
import Glibc
import GalleyWorker
import Gateway
import HTTPServing
import LayoutTables
import ListTables
import LoadTesting
import PoolClientCore
import PoolCoordinator
import PoolProtocol
import PoolSecurity
import Processes
import RowsFiles
import ZeroMQ

/// The exit codes of the program. Scripts depend on them.
enum ExitStatus {
  static let success: Int32 = 0
  static let failed: Int32 = 1
  static let usageError: Int32 = 2
  static let badRows: Int32 = 3
  /// The reader of standard output has ended, as `head` does: the code that shells have for SIGPIPE.
  static let outputClosed: Int32 = 128 + SIGPIPE
}

/// An error that ended a run.
struct RunFailure: Error {
  /// The reason, as a phrase without a full stop.
  let message: String
  /// Whether the reason is a row that is bad, for which `--strict` ends the run.
  var isOfRow = false
}

/// The command `galley` with its verbs.
struct Galley: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "galley",
    abstract: "Compute the layout of lists ahead of time: from rows and a cells file to tables of heights and frames.",
    discussion: """
      galley help cells describes the format of cells files.
      Most options can also be set by an environment variable: GALLEY_ and the name, such as GALLEY_WORKERS=4.
      Exit codes: 0 all rows are good, 1 the run failed, 2 usage error, 3 the run completed but some rows are bad.
      """,
    version: "galley \(Version.current)",
    subcommands: [
      LayoutCommand.self, DemoCommand.self, ExamplesCommand.self, SubmitCommand.self, FetchCommand.self,
      BatchesCommand.self, CancelCommand.self, CoordinatorCommand.self, WorkerCommand.self, StatusCommand.self,
      KeysCommand.self, PrefetchCommand.self, ArrangeCommand.self, DiffCommand.self, ExportCommand.self,
      SkeletonCommand.self,
      LoadTestCommand.self, CheckCommand.self, InspectCommand.self, PackCommand.self, SchemaCommand.self,
      GatewayCommand.self, ViewCommand.self, CalibrateCommand.self, CSSCommand.self,
    ])
}

/// The functions that run the program and report its errors.
enum Program {
  /// Runs the verb of the arguments and exits.
  static func run(_ arguments: [String]) -> Never {
    var type: (any ParsableCommand.Type)?
    var variables: [String] = []
    do {
      if try CellsHelp.isShown(for: arguments) { exit(ExitStatus.success) }
      // The parser would take as long as the rest of the program.
      if arguments == ["--version"] {
        try Results.print(Galley.configuration.version)
        exit(ExitStatus.success)
      }
      let (arguments, used, mistakes) = EnvironmentOptions.adding(
        to: CommandOption.joiningNegativeNumbers(in: arguments))
      variables = used
      let verb = try verb(of: arguments)
      try CommandOption.checkRepetitions(in: arguments)
      var command = try parse(arguments, verb)
      (command as? any LoggingCommand)?.directMessages()
      type = Swift.type(of: command)
      for mistake in mistakes { Messages.warning(mistake) }
      // The tables of a run have up to five open files for each variant.
      OpenFiles.raiseLimit()
      try command.run()
      exit(ExitStatus.success)
    } catch {
      let code = report(error, of: arguments, type)
      if code == ExitStatus.usageError && !variables.isEmpty {
        Messages.warning("environment variables set options of this command: \(variables.joined(separator: ", "))")
      }
      exit(code)
    }
  }

  /// Returns the verb that the arguments begin with, or nil for `help` and options.
  ///
  /// - Throws: `ValidationError` that suggests a similar verb for another first argument.
  private static func verb(of arguments: [String]) throws -> (any ParsableCommand.Type)? {
    guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
    let name = first == "help" ? arguments.dropFirst().first ?? "help" : first
    if name == "help" || name.hasPrefix("-") { return nil }
    let verbs = Galley.configuration.subcommands
    if let verb = verbs.first(where: { $0._commandName == name }) { return first == "help" ? nil : verb }
    throw ValidationError(
      "\"\(name)\" is not a verb\(didYouMean(name, among: verbs.map { $0._commandName } + ["help"])); galley --help lists them, "
        + "galley help cells has the cells format")
  }

  /// Parses the arguments. A verb is first parsed alone, which takes a fifth less of instructions; help and the messages of mistakes
  /// need the whole command.
  private static func parse(
    _ arguments: [String], _ verb: (any ParsableCommand.Type)?
  ) throws -> any ParsableCommand {
    let showsHelp = arguments.contains("--help") || arguments.contains("-h")
    if !showsHelp, let command = try? verb?.parseAsRoot(Array(arguments.dropFirst())) { return command }
    return try Galley.parseAsRoot(arguments)
  }

  /// Writes the message of an error of the arguments or of the run. Returns the exit code.
  ///
  /// - Parameter type: The command that ran, or nil if the arguments are not those of one.
  private static func report(
    _ error: any Error, of arguments: [String], _ type: (any ParsableCommand.Type)?
  ) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    if Interruption.isRequested { return Interruption.exitCode }
    if let message = message(of: error) {
      Messages.error(message)
      return ExitStatus.failed
    }
    let code = Galley.exitCode(for: error)
    let text = usageMessage(of: error, type) ?? Galley.fullMessage(for: error)
    guard code == .success else {
      Messages.writeUsageErrors(of: arguments)
      guard !Messages.areLogged else {
        Messages.error(Galley.message(for: error))
        return ExitStatus.usageError
      }
      let parts = text.escapedForTerminal.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let label = TextStyle.red.applied(to: parts[0], on: .error)
      StandardStream.error.write(([label] + parts.dropFirst()).joined(separator: ":") + "\n")
      return ExitStatus.usageError
    }
    do { try Results.write("\(text)\n") } catch { return report(error, of: arguments, type) }
    return ExitStatus.success
  }

  /// Returns the message of a usage error that was found while a command ran, with the usage of this command as the parser writes it,
  /// which has only that of `galley` for such an error; or nil for other errors.
  private static func usageMessage(of error: any Error, _ type: (any ParsableCommand.Type)?) -> String? {
    guard let error = error as? ValidationError, let type else { return nil }
    let usage = Galley.usageString(for: type)
    let command = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
    return "Error: \(error.message)\nUsage: \(usage)\n  See '\(command) --help' for more information."
  }

  /// Returns the reason for which a coordinator has lost a batch; see `PoolError.isLossOfBatch`.
  static func reason(ofLoss error: PoolError) -> String {
    error == .damaged
      ? "results of the batch were damaged on their way"
      : "the connection to the coordinator was lost, or it was started again, and it keeps no batches"
  }

  /// Returns the message of an error, or nil for a usage error, whose message ArgumentParser has.
  static func message(of error: any Error) -> String? {
    switch error {
    case let error as RunFailure: error.message
    case is JournalError, is KeyError, is LoadTestError, is RowsError, is TableError, is WorkerFailure, is ZeroMQError:
      "\(error)"
    case let error as CellsFileError:
      error.mistakes.count == 1
        ? error.description : "\(error.path) has \(error.mistakes.count) mistakes:\n\(error.description)"
    case let error as OutputError: "\(error.path): \(error.reason)"
    case let error as JobTable.Malformed: "a worker's result is malformed: \(error.reason)"
    case let error as HTTPServer.ListenError: error.reason
    case let error as BearerToken.FileError: error.message
    case PoolError.refused(let reason), PoolError.failed(let reason): reason
    case PoolError.otherRequest: "the interrupted run had other cells or variants; run again without --resume"
    case PoolError.silent: "the coordinator does not reply; check that it is running and that --connect is right"
    case PoolError.lostConnection:
      "\(reason(ofLoss: .lostConnection)): submit the batch again, or start the coordinator with --spool"
    case PoolError.damaged:
      "\(reason(ofLoss: .damaged)): submit the batch again, and look for a connection or a memory that changes bits"
    case PoolError.outOfOrder: "the coordinator's results are out of order"
    case PoolError.outOfSight: "the coordinator's results are not in the shared memory that its message states"
    case PoolError.lostRows: "the coordinator has lost rows that it had stored; submit the batch again"
    default: nil
    }
  }
}
