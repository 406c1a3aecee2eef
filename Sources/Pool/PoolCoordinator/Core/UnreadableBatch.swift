import PoolProtocol

/// A batch in the spool with an unusable journal.
struct UnreadableBatch {
  enum Cause {
    /// The journal cannot be read now, and reading is retried.
    case passing(Pause)
    case otherVersion(JournalVersion)
    /// The journal was set aside.
    case damaged(file: String)
  }

  let cause: Cause
  let bytes: Int

  static func passing(_ reason: String, bytes: Int, after earlier: UnreadableBatch?, at now: UInt64) -> UnreadableBatch
  {
    var last: Pause?
    if case .passing(let pause)? = earlier?.cause { last = pause }
    let pause = Pause(reason, after: last, first: 1_000_000_000, longest: 30_000_000_000, at: now)
    return UnreadableBatch(cause: .passing(pause), bytes: bytes)
  }

  /// The reason why the batch cannot be used. It continues the words "its journal".
  var reason: String {
    switch cause {
    case .passing(let pause): "cannot be read now and is read again later: \(pause.reason)"
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
    if case .passing(let pause) = cause { now >= pause.retryAt } else { false }
  }
}
