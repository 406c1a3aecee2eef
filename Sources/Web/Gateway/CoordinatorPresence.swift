/// Whether a coordinator is there, by its connection and by its replies to requests for its state.
///
/// A coordinator that has no connection is lost after a second, in which it can be started again. One that does not reply is
/// silent, but has what it accepted.
struct CoordinatorPresence {
  /// Nanoseconds between requests for the state, and those that a reply may take.
  static let interval: UInt64 = 1_000_000_000
  static let replyTimeout: UInt64 = 3_000_000_000
  /// Nanoseconds without a connection after which the coordinator counts as lost: a second, and the time in which libzmq connects
  /// again.
  static let lossTimeout: UInt64 = 1_250_000_000

  private enum Connection {
    /// `nextRequest`: the time of the next request, unless a reply is awaited until `deadline`.
    case connected(nextRequest: UInt64, deadline: UInt64?)
    /// `nextReport`: the time at which the loss is reported.
    case missing(nextReport: UInt64, isLost: Bool)
  }

  enum Finding: Equatable {
    /// The state is to be asked for.
    case isDue
    /// The coordinator has not replied in time, or is lost. The finding is repeated while this lasts.
    case isAbsent
  }

  private var connection: Connection

  init(at now: UInt64) { connection = .missing(nextReport: now + Self.lossTimeout, isLost: false) }

  /// Whether the coordinator has had no connection for longer than a restart takes.
  var isLost: Bool { if case .missing(_, let isLost) = connection { isLost } else { false } }

  /// Records what was observed.
  ///
  /// - Parameter hasReplied: Whether a state was received.
  /// - Returns: What follows from it; nil if nothing does.
  mutating func note(isConnected: Bool, hasReplied: Bool, at now: UInt64) -> Finding? {
    switch connection {
    case .connected where !isConnected: connection = .missing(nextReport: now + Self.lossTimeout, isLost: false)
    case .missing where isConnected: connection = .connected(nextRequest: now, deadline: nil)
    default: break
    }
    switch connection {
    case .connected(let nextRequest, _?) where hasReplied:
      connection = .connected(nextRequest: nextRequest, deadline: nil)
      return nil
    case .connected(_, let deadline?) where now >= deadline:
      connection = .connected(nextRequest: now, deadline: nil)
      return .isAbsent
    case .connected(let nextRequest, nil) where now >= nextRequest:
      // Requests that were late are not made up for.
      let next = max(nextRequest + Self.interval, now)
      connection = .connected(nextRequest: next, deadline: now + Self.replyTimeout)
      return .isDue
    case .missing(let nextReport, _) where now >= nextReport:
      connection = .missing(nextReport: now + Self.replyTimeout, isLost: true)
      return .isAbsent
    case .connected, .missing: return nil
    }
  }
}
