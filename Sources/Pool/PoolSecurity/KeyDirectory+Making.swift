import Glibc
import PoolProtocol
import Processes
import ZeroMQ

extension KeyDirectory {
  /// The name of the key of the coordinator's own machine.
  private static let local = "local"

  /// Makes the directory with a key for the coordinator and one for its machine, which may do everything.
  ///
  /// - Throws: `KeyError`, also when the coordinator already has a key.
  public func create() throws {
    try Self.makeDirectory(path)
    try Self.makeDirectory(allowed)
    let (coordinator, client) = try (CurveKeyPair.random(), CurveKeyPair.random())
    try KeyFile.write([
      (coordinatorSecret, coordinator.secret), (coordinatorPublic, coordinator.publicKey),
      (clientSecret, client.secret), (allowedKey(AllowedKeyName(Self.local, .operator)), client.publicKey),
    ])
  }

  /// Makes a key for another machine. Returns the directory that the machine needs.
  ///
  /// - Throws: `KeyError`, also when another key has the name.
  public func add(_ name: String, role: PeerRole) throws -> KeyDirectory {
    guard Self.isName(name) else {
      throw KeyError(
        "\"\(name)\"", "is not a name of a key, which is 1 to 64 letters, digits, - and _, and not \"allowed\"")
    }
    let server = try coordinatorPublic.read()
    let files = DirectoryListing.names(in: allowed) ?? []
    let taken = files.first { (try? AllowedKeyName(file: $0, in: allowed))?.name == name }
    if let taken { throw KeyError("\(allowed)/\(taken)", "is there already, and keys are not overwritten") }
    let directory = KeyDirectory("\(path)/\(name)")
    try Self.makeDirectory(directory.path)
    let client = try CurveKeyPair.random()
    try KeyFile.write([
      (directory.clientSecret, client.secret), (directory.coordinatorPublic, server),
      (allowedKey(AllowedKeyName(name, role)), client.publicKey),
    ])
    return directory
  }

  private static func isName(_ text: String) -> Bool {
    text != "allowed" && (1...AllowedKeyName.maxLength).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  }

  /// Makes a directory that only its owner can enter. A directory that exists is not changed.
  private static func makeDirectory(_ path: String) throws(KeyError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw KeyError(path, failing: "cannot be made") }
  }
}
