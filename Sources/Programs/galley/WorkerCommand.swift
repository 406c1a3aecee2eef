import ArgumentParser
import GalleyWorker
import Glibc

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run a worker process.",
    discussion: "Example: galley worker --connect ipc:///run/user/1000/galley")

  @OptionGroup var options: WorkerOptions

  /// What starts a worker of this very program, to end with its parent.
  static var commandLine: [String] { ["/proc/self/exe", "worker", "--parent", "\(getpid())"] }

  func run() throws { try options.run() }
}
