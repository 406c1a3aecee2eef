import Buffers
import PoolMemory
import PoolProtocol

/// A request of a client from its first message to its end.
struct Conversation {
  /// How far the request is.
  enum Phase {
    /// The coordinator has not accepted the request.
    case asked
    /// The coordinator has accepted the batch, and does not keep it.
    case accepted
    /// The coordinator has accepted the batch and keeps it by a name.
    ///
    /// `lacksResults`: Whether results were lost, because they were damaged or lay in memory that this process cannot map. Later
    /// results are dropped until the coordinator has sent these again.
    case kept(name: String, lacksResults: Bool)
    /// The request has ended or failed.
    case ended
  }

  let request: ClientRequest
  /// The number of the batch in messages.
  let number: UInt64
  /// The random number by which the coordinator recognizes this client on another connection.
  let session: UInt64
  let origin: PeerOrigin
  let memory: any MemorySystem
  var phase = Phase.asked
  /// The program, if it was read.
  var program: OwnedBytes?
  /// The number of times that the batch was asked for again.
  var attempt: UInt32 = 0
  /// The index of the first row whose results are missing.
  var nextRow: UInt64 = 0
  var rows = SentRows()
  /// Nil if sharing memory would cost more than it saves.
  var channel: PeerMemoryChannel?
  /// Whether messages offer the channel. False once this process could not map the coordinator's memory.
  var sharesMemory = true
  /// Whether rows may have been sent before the coordinator had the program, or on a connection that was lost. Sending continues
  /// when the coordinator has accepted the batch.
  var sentRowsTooEarly = false
  /// The number of results that differed from their checksums.
  var damagedResults = 0
  /// Whether the coordinator does not know the batch on this connection, or a message was damaged. The client then requests the
  /// batch again after a delay.
  var hasLostMessages = false
  var lastMessage: UInt64
  /// The time of the last request for the batch after the first one.
  var lastAttach: UInt64?
  var lastProbe: UInt64
  /// The effects of the current event.
  private var effects: [ClientEffect] = []

  /// Begins a request, whose first message is an effect.
  ///
  /// - Parameter isShort: Whether all rows fit into one chunk.
  init(
    _ request: ClientRequest, number: UInt64, isShort: Bool, session: UInt64, origin: PeerOrigin,
    memory: any MemorySystem, at now: UInt64, into effects: inout [ClientEffect]
  ) {
    (self.request, self.number, self.session, self.origin, self.memory) = (request, number, session, origin, memory)
    (lastMessage, lastProbe) = (now, now)
    // The same memory serves the whole batch.
    channel = isShort ? nil : PeerMemoryChannel(memory, others: ClientCore.openMemories)
    swap(&self.effects, &effects)
    defer { swap(&self.effects, &effects) }
    switch request {
    case .run(_, let kept?): attach(kept)
    case .run(let description, nil), .submit(let description):
      submit(description)
      rows.submit(isShort: isShort)
    case .fetch(let name): attach(name)
    case .cancel(let name): send(.cancelNamed(batch: number, name: name))
    }
  }

  /// Appends the effects of an event at a time of the client's process, in nanoseconds.
  mutating func handle(_ event: ConversationEvent, at now: UInt64, into effects: inout [ClientEffect]) {
    swap(&self.effects, &effects)
    defer { swap(&self.effects, &effects) }
    switch event {
    case .message(let message, let parts):
      lastMessage = now
      if message.batch == number { handle(message, parts) }
    case .malformedMessage:
      lastMessage = now
      hasLostMessages = true
      // The damaged message may have contained results. Later results are then out of order until the batch was requested
      // again.
      if let name { phase = .kept(name: name, lacksResults: true) }
    case .rowsRead(let chunk):
      if rows.add(chunk, mayRepeat: !isAccepted || name != nil) { send(chunk) }
    case .rowsEnded: rows.noteEnd()
    case .programRead(let program, let request):
      self.program = program
      send(request, of: program)
    case .tick: checkSilence(at: now)
    }
    if !hasEnded { askAgainAfterLoss(at: now) }
  }

  mutating func emit(_ effect: ClientEffect) { effects.append(effect) }
  mutating func send(_ message: ClientMessage, _ parts: [OwnedBytes] = []) { emit(.send(message, parts)) }

  mutating func end(_ input: InputSummary? = nil) {
    emit(.end(name: name ?? "", input: input))
    phase = .ended
  }

  mutating func fail(_ error: PoolError) {
    emit(.fail(error))
    phase = .ended
  }

  // MARK: State

  var isAccepted: Bool { if case .asked = phase { false } else { true } }
  var hasEnded: Bool { if case .ended = phase { true } else { false } }
  /// The name by which the coordinator keeps the batch, or nil if it does not.
  var name: String? { if case .kept(let name, _) = phase { name } else { nil } }
  var lacksResults: Bool { if case .kept(_, true) = phase { true } else { false } }

  /// Whether rows are sent and results are taken in row order.
  var sendsRows: Bool { submission != nil }

  var isDetached: Bool { if case .submit = request { true } else { false } }

  /// The batch that is being submitted, or nil.
  var submission: BatchDescription? {
    switch request {
    case .run(let description, _), .submit(let description): description
    case .fetch, .cancel: nil
    }
  }
}
