import ArgumentParser
import PoolSecurity

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create the CURVE keys with which a coordinator and its clients and workers authenticate.",
    discussion: """
      Give DIR to --keys of the coordinator, and of the clients and workers on its machine. --client NAME adds a key \
      for another machine, which needs only DIR/NAME. The coordinator accepts the keys in DIR/allowed. To revoke a key, \
      delete its .pub file there and send SIGHUP to the coordinator, which then closes the connections that use it.

      Examples: galley keys keys
                galley keys keys --client build-farm
      """)

  @Argument(help: "The directory for the keys.")
  var directory: String

  @Option(help: "The name of a further client or worker machine.")
  var client: String?

  func run() throws {
    let keys = KeyDirectory(directory)
    if let client {
      let directory = try keys.addClient(client)
      try Results.print("\(directory.path) has the keys for \(client); copy the directory there and give it to --keys")
    } else {
      try keys.create()
      try Results.print(
        "\(directory) has the keys for `galley coordinator`, `worker`, `submit` and `status` with --keys \(directory)")
    }
  }
}
