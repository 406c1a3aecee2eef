import ArgumentParser
import Glibc
import PoolClient
import Processes

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the workers and batches of a coordinator.",
    discussion: "Example: galley status --connect ipc:///run/user/1000/galley")

  @OptionGroup var coordinator: CoordinatorOptions

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print the status every second until interrupted.")
  var watch = false

  func run() throws {
    Interruption.catchSignals()
    let client = try coordinator.coordinatorClient()
    repeat {
      let status = try client.status()
      if json { try Results.write(status.json() + "\n") } else { try Results.print(status.text) }
      if watch { sleep(1) }
    } while watch && !Interruption.isRequested
  }
}
