import Buffers
import PoolMemory
import PoolProtocol

extension ClientCore {
  /// A batch between its request and its end.
  struct Conversation {
    let request: ClientRequest
    /// The program, if it was read.
    var program: OwnedBytes?
    /// The random number by which the coordinator recognizes this client on another connection.
    let session: UInt64
    /// The number of times that the batch was asked for again.
    var attempt: UInt32 = 0
    /// The name by which the coordinator keeps the batch; empty if it does not.
    var name = ""
    /// The index of the first row whose results are missing.
    var nextRow: UInt64 = 0
    var rows = SentRows()
    /// Nil if sharing memory would cost more than it saves.
    var channel: PeerMemoryChannel?
    /// Whether messages offer the channel. False once this process could not map the coordinator's memory.
    var sharesMemory = true
    /// Whether results lay in memory that this process cannot map. Later results are dropped until these were sent again.
    var hasLostResults = false
    /// Whether the coordinator has accepted the batch.
    var isAccepted = false
    /// Whether rows may have been sent before the coordinator had the program, or on a connection that was lost. Sending
    /// continues when the coordinator has accepted the batch.
    var sentRowsTooEarly = false
    /// The number of results that differed from their checksums.
    var damagedResults = 0
    /// Whether the request has ended or failed.
    var hasEnded = false
    /// Whether the coordinator does not know the batch on this connection, or a message was damaged. The client then requests
    /// the batch again after a delay.
    var hasLostMessages = false
    var lastMessage: UInt64
    /// The time of the last request for the batch after the first one.
    var lastAttach: UInt64?
    var lastProbe: UInt64

    /// Whether rows are sent and results are taken in row order.
    var sendsRows: Bool { submission != nil }

    init(request: ClientRequest, session: UInt64, at now: UInt64) {
      (self.request, self.session) = (request, session)
      (lastMessage, lastProbe) = (now, now)
    }

    var isDetached: Bool {
      if case .submit = request { true } else { false }
    }

    /// The batch that is being submitted, or nil.
    var submission: BatchDescription? {
      switch request {
      case .run(let description, _), .submit(let description): description
      case .fetch, .cancel: nil
      }
    }
  }
}
