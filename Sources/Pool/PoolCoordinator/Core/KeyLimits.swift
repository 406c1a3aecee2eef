/// What the batches of one key may take at a time, so that its holder leaves room for others. Workers are shared equally by the
/// scheduler. The limits do not apply to peers without keys, which are all the same peer.
public struct KeyLimits: Sendable {
  /// The number of batches that are not done.
  public var batches = 1_000
  /// The bytes of journals in the spool; nil for half of the limit of the spool, if that has one.
  public var spoolBytes: Int?

  public init() {}

  /// The bytes of the journals of one key.
  func spoolBytes(ofSpool limit: Int?) -> Int? { spoolBytes ?? limit.map { $0 / 2 } }
}
