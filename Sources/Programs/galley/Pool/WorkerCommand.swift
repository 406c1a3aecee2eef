import ArgumentParser
import GalleyWorker
import Glibc

struct WorkerCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run a worker process.",
    discussion: "Example: galley worker --connect ipc:///run/user/1000/galley")

  @OptionGroup var options: WorkerOptions

  var log: LogOptions { options.log }
  static let isService = true

  /// Returns the command that starts a worker of this program, which ends when this process ends.
  static func commandLine(_ log: LogOptions) -> [String] {
    ["/proc/self/exe", "worker", "--parent", "\(getpid())"] + log.arguments
  }

  func run() throws { try options.run() }
}
