/// The limits for the open batches of one key, so that each holder leaves room for others. The scheduler shares workers equally
/// between keys. Peers without keys have no limits, because they cannot be told apart.
public struct KeyLimits: Sendable {
  /// The number of batches that are not done.
  public var batches = 1_000
  /// The bytes of journals in the spool; nil for half of the limit of the spool, if that has one.
  public var spoolBytes: Int?

  public init() {}

  /// The bytes of the journals of one key.
  func spoolBytes(ofSpool limit: Int?) -> Int? { spoolBytes ?? limit.map { $0 / 2 } }
}
