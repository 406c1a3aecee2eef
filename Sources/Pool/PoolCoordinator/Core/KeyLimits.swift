/// The limits for the open batches of one key, so that each holder leaves room for others. The scheduler shares workers equally
/// between keys. The limits apply only to peers with keys, because only a key identifies its holder.
public struct KeyLimits: Sendable {
  /// The number of batches that are not done.
  public var batches = 1_000
  /// The bytes of journals in the spool; nil for half of the limit of the spool, if that has one.
  public var spoolBytes: Int?

  public init() {}

  func spoolBytes(ofSpool limit: Int?) -> Int? { spoolBytes ?? limit.map { $0 / 2 } }
}
