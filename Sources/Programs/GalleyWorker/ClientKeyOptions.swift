import ArgumentParser
import PoolSecurity

/// The keys with which a client or worker gets in to a coordinator.
public struct ClientKeyOptions: ParsableArguments {
  @Option(help: "Directory with this machine's client.key and the coordinator.pub, for a tcp:// endpoint with keys.")
  public var keys: String?

  public init() {}

  /// - Throws: `KeyError`
  public func clientKeys() throws -> ClientKeys? { try keys.map { try KeyDirectory($0).clientKeys() } }
}
