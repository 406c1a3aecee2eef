import Files
import ZeroMQ

/// Keys on disk:
///
///     coordinator.key     the coordinator's secret
///     coordinator.pub     what clients and workers know it by
///     client.key          the secret of this machine's clients and workers
///     allowed/NAME.pub    whom the coordinator lets in
///     NAME/               what another machine needs: its client.key and coordinator.pub
///
/// A coordinator reads `coordinator.key` and `allowed`, clients and workers `client.key` and `coordinator.pub`.
public struct KeyDirectory: Sendable {
  /// Keys that a coordinator lets in.
  static let maxAllowed = 10_000

  public let path: String

  public init(_ path: String) { self.path = path }

  var coordinatorSecret: KeyFile { KeyFile(path: path + "/coordinator.key", kind: .secret) }
  var coordinatorPublic: KeyFile { KeyFile(path: path + "/coordinator.pub", kind: .open) }
  var clientSecret: KeyFile { KeyFile(path: path + "/client.key", kind: .secret) }
  var allowed: String { path + "/allowed" }

  func allowedKey(_ name: String) -> KeyFile { KeyFile(path: "\(allowed)/\(name).pub", kind: .open) }

  /// The keys that are let in at present.
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

  /// What a client or worker gets in with.
  public func clientKeys() throws -> ClientKeys {
    ClientKeys(pair: try CurveKeyPair(secret: clientSecret.read()), server: try coordinatorPublic.read())
  }
}

/// What a client or worker gets in with, and by what it knows the coordinator.
public struct ClientKeys: Sendable {
  let pair: CurveKeyPair
  let server: CurveKey
}
