import Glibc
import ZeroMQ

extension KeyDirectory {
  /// The name of the first client.
  private static let firstClient = "client"

  /// Makes the directory with a key for the coordinator and one for clients.
  ///
  /// - Throws: `KeyError`, also when the coordinator already has a key.
  public func create() throws {
    try Self.makeDirectory(path)
    let coordinator = try CurveKeyPair.random()
    try coordinatorSecret.write(coordinator.secret)
    try coordinatorPublic.write(coordinator.publicKey)
    try Self.makeDirectory(allowed)
    try addClient(Self.firstClient, in: self)
  }

  /// Makes a key for another client. Returns the directory that the client's machine needs.
  ///
  /// - Throws: `KeyError`, also when another client has the name.
  public func addClient(_ name: String) throws -> KeyDirectory {
    guard Self.isName(name) else {
      throw KeyError("\"\(name)\"", "is no client's name, which is letters, digits, - and _, and not \"allowed\"")
    }
    let server = try coordinatorPublic.read()
    let directory = KeyDirectory("\(path)/\(name)")
    try Self.makeDirectory(directory.path)
    try addClient(name, in: directory)
    try directory.coordinatorPublic.write(server)
    return directory
  }

  private func addClient(_ name: String, in directory: KeyDirectory) throws {
    let client = try CurveKeyPair.random()
    try directory.clientSecret.write(client.secret)
    try allowedKey(name).write(client.publicKey)
  }

  private static func isName(_ text: String) -> Bool {
    text != "allowed" && (1...64).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  /// Makes a directory that only its owner can enter. A directory that exists is not changed.
  private static func makeDirectory(_ path: String) throws(KeyError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw KeyError(path, failing: "cannot be made") }
  }
}
