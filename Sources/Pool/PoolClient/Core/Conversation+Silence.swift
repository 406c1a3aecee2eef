import PoolProtocol

/// The actions of a client that receives no message: it pings the coordinator with its batch, requests the batch again, and
/// finally fails.
extension Conversation {
  /// Nanoseconds without a message after which the coordinator, which sends pings, counts as lost: before it has accepted the
  /// batch; afterwards, when a slow connection may carry large results; and for a kept batch. A pause of the client's process
  /// does not count.
  static let silenceTimeout: UInt64 = 20_000_000_000
  static let acceptedSilenceTimeout: UInt64 = 60_000_000_000
  static let keptSilenceTimeout: UInt64 = 120_000_000_000
  /// Nanoseconds of silence after which the client names an accepted batch to the coordinator. A restarted coordinator replies
  /// that it does not know the batch.
  static let probeInterval: UInt64 = 500_000_000
  /// The nanoseconds between two requests for a batch after messages were lost.
  static let lossInterval: UInt64 = 100_000_000
  /// Nanoseconds of silence after which the client requests the batch again, because libzmq may have replaced the connection.
  static let attachInterval: UInt64 = 2_000_000_000

  mutating func checkSilence(at now: UInt64) {
    let silence = now - lastMessage
    let timeout =
      switch phase {
      case .asked: Self.silenceTimeout
      case .accepted, .ended: Self.acceptedSilenceTimeout
      case .kept: Self.keptSilenceTimeout
      }
    guard silence < timeout else { return fail(.silent) }
    if now - max(lastMessage, lastAttach ?? 0) >= Self.attachInterval {
      lastAttach = now
      if askAgainIfPossible() { return }
    }
    if isAccepted, now - max(lastMessage, lastProbe) >= Self.probeInterval {
      lastProbe = now
      acknowledge()
    }
  }

  /// Requests a batch again if the coordinator does not know it on this connection, or if one of its messages was damaged.
  ///
  /// Several messages on an old connection receive the reply that the batch is unknown. One request is enough for all of them.
  /// Pings do not show whether the request itself was damaged.
  mutating func askAgainAfterLoss(at now: UInt64) {
    guard hasLostMessages else { return }
    if let last = lastAttach, now < last + Self.lossInterval { return }
    (hasLostMessages, lastAttach) = (false, now)
    if !askAgainIfPossible() { fail(.lostConnection) }
  }

  /// Requests the batch on a connection that may be new. Returns false if the batch cannot continue there.
  mutating func askAgainIfPossible() -> Bool {
    if let name {
      attach(name)
    } else if !isAccepted, let description = submission {
      sentRowsTooEarly = true
      submit(description)
    } else {
      switch request {
      case .fetch(let name): attach(name)
      case .cancel(let name): send(.cancelNamed(batch: number, name: name))
      case .run, .submit: return false
      }
    }
    return true
  }
}
