import ArgumentParser
import PoolSecurity

/// The options that name the CURVE keys of a client or a worker.
///
/// A coordinator with `--keys` accepts only the clients and workers whose public keys it has. `ipc://` endpoints need
/// no keys.
public struct ClientKeyOptions: ParsableArguments {
  /// The directory that holds this machine's `client.key` and the coordinator's public key `coordinator.pub`; nil for a
  /// coordinator without keys.
  @Option(
    help: "The directory with client.key and coordinator.pub, for a tcp:// endpoint that requires keys.",
    completion: .directory)
  public var keys: String?

  /// Creates options without keys.
  public init() {}

  /// Returns the keys in the directory ``keys``, or nil if there is no such option.
  ///
  /// - Throws: `KeyError` if a key is missing or malformed, or if other users of the machine can read `client.key`.
  public func clientKeys() throws -> ClientKeys? { try keys.map { try KeyDirectory($0).clientKeys() } }
}
