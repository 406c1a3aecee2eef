import ArgumentParser
import GalleyWorker
import Glibc

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run a worker process.",
    discussion: "Example: galley worker --connect ipc:///run/user/1000/galley")

  @OptionGroup var options: WorkerOptions

  /// The command that starts a worker of this program, which ends when this process ends.
  static var commandLine: [String] { ["/proc/self/exe", "worker", "--parent", "\(getpid())"] }

  func run() throws { try options.run() }
}
