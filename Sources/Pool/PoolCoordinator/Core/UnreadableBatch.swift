import PoolProtocol

/// A batch in the spool with an unusable journal.
struct UnreadableBatch {
  /// Nanoseconds before the first retry, which are doubled for each further one, and their maximum.
  private static let firstBackOff: UInt64 = 1_000_000_000
  private static let longestBackOff: UInt64 = 30_000_000_000

  enum Cause {
    /// The journal cannot be read now, and reading is retried.
    case passing(reason: String, retryAt: UInt64, backOff: UInt64)
    case otherVersion(JournalVersion)
    /// The journal was set aside.
    case damaged(file: String)
  }

  let cause: Cause
  let bytes: Int

  static func passing(_ reason: String, bytes: Int, after earlier: UnreadableBatch?, at now: UInt64) -> UnreadableBatch
  {
    var backOff = firstBackOff
    if case .passing(_, _, let last)? = earlier?.cause { backOff = min(last * 2, longestBackOff) }
    return UnreadableBatch(
      cause: .passing(reason: reason, retryAt: now + backOff, backOff: backOff), bytes: bytes)
  }

  /// The reason why the batch cannot be used. It continues the words "its journal".
  var reason: String {
    switch cause {
    case .passing(let reason, _, _): "cannot be read now and is read again later: \(reason)"
    case .otherVersion(let version):
      "is of version \(version.program), which version \(Version.current) cannot continue; use that version, or cancel "
        + "the batch"
    case .damaged(let file): "is damaged; it is kept in the spool as \(file) until the batch is cancelled"
    }
  }

  var isDamaged: Bool {
    if case .damaged = cause { true } else { false }
  }

  /// Whether the journal is to be read again now.
  func isDue(at now: UInt64) -> Bool {
    if case .passing(_, let retryAt, _) = cause { now >= retryAt } else { false }
  }
}
