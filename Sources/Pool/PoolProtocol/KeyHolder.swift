/// The role of the holder of a key, which determines what a coordinator permits.
public enum PeerRole: String, CaseIterable, Sendable {
  /// Lays out jobs, and nothing else.
  case worker
  /// Submits batches, and uses those that were submitted with the same key.
  case client
  /// Does everything, also with the batches of other keys.
  case `operator`
}

/// The holder of a key, as the coordinator's directory of allowed keys names it.
public struct KeyHolder: Hashable, Sendable {
  /// The name of the key; empty for a peer that needs none.
  public let name: String
  public let role: PeerRole

  public init(name: String, role: PeerRole) { (self.name, self.role) = (name, role) }

  /// A peer at an endpoint without keys, which may do everything.
  public static let withoutKey = KeyHolder(name: "", role: .operator)

  public var mayLayOut: Bool { role != .client }
  public var maySubmit: Bool { role != .worker }

  /// Returns whether the peer may use a batch.
  ///
  /// - Parameter owner: The name of the key with which the batch was submitted; empty if there was none.
  public func mayUse(batchOf owner: String) -> Bool {
    switch role {
    case .operator: true
    case .client: !owner.isEmpty && owner == name
    case .worker: false
    }
  }
}
