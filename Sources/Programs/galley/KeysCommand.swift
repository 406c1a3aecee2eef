import ArgumentParser
import PoolSecurity

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Make the keys by which a coordinator and its clients and workers know each other.",
    discussion: """
      DIR is for `--keys` of the coordinator and of the clients and workers of its machine. `--client NAME` adds a key \
      for another machine, which needs DIR/NAME alone. Who has a key in DIR/allowed gets in: to refuse it, remove its \
      .pub there; a coordinator that runs looks again at SIGHUP, and ends the connections of keys that are gone.

      Examples: galley keys keys
                galley keys keys --client build-farm
      """)

  @Argument(help: "The directory of keys.")
  var directory: String

  @Option(help: "Name of a further client or worker machine.")
  var client: String?

  func run() throws {
    let keys = KeyDirectory(directory)
    if let client {
      let made = try keys.addClient(client)
      print("\(made.path) has the keys for \(client), to be copied there for its --keys")
    } else {
      try keys.create()
      print(
        "\(directory) has the keys for `galley coordinator`, `worker`, `submit` and `status` with --keys \(directory)")
    }
  }
}
