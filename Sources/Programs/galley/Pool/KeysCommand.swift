import ArgumentParser
import PoolProtocol
import PoolSecurity

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create the CURVE keys with which a coordinator and its clients and workers authenticate.",
    discussion: """
      Give DIR to --keys of the coordinator, and of the clients and workers on its machine, whose key may do everything. \
      --add NAME --role ROLE adds a key for another machine, which needs only DIR/NAME. A worker's key lays out jobs. A \
      client's key submits batches, and sees and ends those that were submitted with it. An operator's key does \
      everything. The coordinator accepts the keys in DIR/allowed. To revoke a key, delete its .pub file there and send \
      SIGHUP to the coordinator, which then closes the connections that use it.

      Examples: galley keys keys
                galley keys keys --add build-farm --role worker
                galley keys keys --add laptop --role client
      """)

  @Argument(help: "The directory for the keys.", completion: .directory)
  var directory: String

  @Option(help: "The name of a further key.")
  var add: String?

  @Option(help: "What the holder of that key may do: worker, client or operator.")
  var role: PeerRole?

  @Option(help: "The same as --add NAME --role client.")
  var client: String?

  func validate() throws {
    guard (add == nil) == (role == nil) else { throw ValidationError("--add NAME and --role ROLE belong together") }
    guard add == nil || client == nil else { throw ValidationError("--add and --client exclude each other") }
  }

  func run() throws {
    let keys = KeyDirectory(directory)
    if let name = add ?? client {
      let role = role ?? .client
      let directory = try keys.add(name, role: role)
      try Results.print(
        "\(directory.path) has the key of the \(role.rawValue) \(name); copy the directory there and give it to --keys")
    } else {
      try keys.create()
      try Results.print(
        "\(directory) has the keys for `galley coordinator`, `worker`, `submit` and `status` with --keys \(directory)")
    }
  }
}

extension PeerRole: ExpressibleByArgument {}
