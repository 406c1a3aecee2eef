/// The process from which a peer connects, for people who look for it.
public struct PeerOrigin: Equatable, Sendable {
  /// The name of its machine.
  public var host: String
  public var process: Int64

  public init(host: String, process: Int64) { (self.host, self.process) = (host, process) }

  public static let unknown = PeerOrigin(host: "", process: 0)
}
