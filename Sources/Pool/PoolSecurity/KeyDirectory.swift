import Files
import ZeroMQ

/// A directory of keys:
///
///     coordinator.key     the coordinator's secret key
///     coordinator.pub     the public key by which clients and workers identify the coordinator
///     client.key          the secret key of this machine's clients and workers
///     allowed/NAME.pub    the public key of a client that the coordinator accepts
///     NAME/               the files that another machine needs: its client.key and coordinator.pub
///
/// A coordinator reads `coordinator.key` and `allowed`. Clients and workers read `client.key` and `coordinator.pub`.
public struct KeyDirectory: Sendable {
  /// The largest number of keys that a coordinator accepts.
  static let maxAllowed = 10_000

  /// The path of the directory.
  public let path: String

  /// Creates a reference to the directory at a path, which is not read yet.
  public init(_ path: String) { self.path = path }

  var coordinatorSecret: KeyFile { KeyFile(path: path + "/coordinator.key", kind: .secret) }
  var coordinatorPublic: KeyFile { KeyFile(path: path + "/coordinator.pub", kind: .open) }
  var clientSecret: KeyFile { KeyFile(path: path + "/client.key", kind: .secret) }
  var allowed: String { path + "/allowed" }

  func allowedKey(_ name: String) -> KeyFile { KeyFile(path: "\(allowed)/\(name).pub", kind: .open) }

  /// Returns the keys that are allowed at present.
  func allowedKeys() throws(KeyError) -> Set<CurveKey> {
    guard let files = DirectoryListing.names(in: allowed) else {
      throw KeyError(allowed, failing: "cannot be read", wayOut: "; `galley keys` makes it")
    }
    var keys: Set<CurveKey> = []
    for file in files where file.hasSuffix(".pub") && !file.hasPrefix(".") {
      guard keys.count < Self.maxAllowed else { throw KeyError(allowed, "holds more than \(Self.maxAllowed) keys") }
      keys.insert(try KeyFile(path: "\(allowed)/\(file)", kind: .open).read())
    }
    return keys
  }

  /// Returns the keys with which a client or worker connects.
  public func clientKeys() throws -> ClientKeys {
    ClientKeys(pair: try CurveKeyPair(secret: clientSecret.read()), server: try coordinatorPublic.read())
  }
}

/// The keys with which a client or worker connects, and the key by which it identifies the coordinator.
public struct ClientKeys: Sendable {
  let pair: CurveKeyPair
  let server: CurveKey
}
