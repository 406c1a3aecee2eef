import PoolProtocol

/// The actions of a client that receives no message: it pings the coordinator with its batch, requests the batch again, and
/// finally fails.
extension ClientCore {
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

  mutating func checkSilence(_ conversation: inout Conversation, at now: UInt64) {
    let silence = now - conversation.lastMessage
    let isKept = !conversation.name.isEmpty
    let timeout =
      isKept
      ? Self.keptSilenceTimeout : conversation.isAccepted ? Self.acceptedSilenceTimeout : Self.silenceTimeout
    guard silence < timeout else { return fail(.silent, &conversation) }
    if now - max(conversation.lastMessage, conversation.lastAttach ?? 0) >= Self.attachInterval {
      conversation.lastAttach = now
      if askAgainIfPossible(&conversation) { return }
    }
    if conversation.isAccepted, now - max(conversation.lastMessage, conversation.lastProbe) >= Self.probeInterval {
      conversation.lastProbe = now
      acknowledge(conversation)
    }
  }

  /// Requests a batch again if the coordinator does not know it on this connection, or if one of its messages was damaged.
  ///
  /// Several messages on an old connection receive the reply that the batch is unknown. One request is enough for all of them.
  /// Pings do not show whether the request itself was damaged.
  mutating func askAgainAfterLoss(_ conversation: inout Conversation, at now: UInt64) {
    guard conversation.hasLostMessages else { return }
    if let last = conversation.lastAttach, now < last + Self.lossInterval { return }
    (conversation.hasLostMessages, conversation.lastAttach) = (false, now)
    if !askAgainIfPossible(&conversation) {
      fail(.lostConnection, &conversation)
    }
  }

  /// Requests the batch on a connection that may be new. Returns false if the batch cannot continue there.
  mutating func askAgainIfPossible(_ conversation: inout Conversation) -> Bool {
    if !conversation.name.isEmpty {
      attach(conversation.name, &conversation)
    } else if !conversation.isAccepted, let description = conversation.submission {
      conversation.sentRowsTooEarly = true
      submit(description, conversation)
    } else {
      switch conversation.request {
      case .fetch(let name): attach(name, &conversation)
      case .cancel(let name): send(.cancelNamed(batch: number, name: name))
      case .run, .submit: return false
      }
    }
    return true
  }
}
