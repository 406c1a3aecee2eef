import ZeroMQ

/// A directory of keys:
///
///     coordinator.key          the coordinator's secret key
///     coordinator.pub          the public key by which clients and workers identify the coordinator
///     client.key               the secret key of this machine's clients and workers
///     allowed/NAME.ROLE.pub    the public key of a peer that the coordinator accepts, with what it may do
///     allowed/NAME.pub         the same for a peer that may do everything
///     NAME/                    the files that another machine needs: its client.key and coordinator.pub
///
/// A coordinator reads `coordinator.key` and `allowed`. Clients and workers read `client.key` and `coordinator.pub`.
public struct KeyDirectory: Sendable {
  public let path: String

  /// Creates a reference to the directory at a path, which is not read yet.
  public init(_ path: String) { self.path = path }

  var coordinatorSecret: KeyFile { KeyFile(path: path + "/coordinator.key", kind: .secret) }
  var coordinatorPublic: KeyFile { KeyFile(path: path + "/coordinator.pub", kind: .open) }
  var clientSecret: KeyFile { KeyFile(path: path + "/client.key", kind: .secret) }
  var allowed: String { path + "/allowed" }

  func allowedKey(_ name: AllowedKeyName) -> KeyFile { KeyFile(path: "\(allowed)/\(name.file)", kind: .open) }

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
