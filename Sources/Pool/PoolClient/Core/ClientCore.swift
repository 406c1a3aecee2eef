import Buffers
import PoolMemory
import PoolProtocol

/// A client without its socket, clock and files: it receives events with their time and returns effects.
///
/// A coordinator lays out one batch at a time for it. The client sends rows while its window has room, and takes results in row
/// order. If the coordinator keeps the batch, the client continues after a restart of the coordinator.
public struct ClientCore: ~Copyable {
  /// The number of workers' memories that stay open.
  static let openMemories = 64

  let memory: any MemorySystem
  let origin: PeerOrigin
  /// The batch that has not ended, if there is one.
  private(set) var conversation: Conversation?
  /// The number of the last batch. Messages of the coordinator with another number are ignored.
  public private(set) var number: UInt64 = 0
  /// The time for which the process has run. Conversations measure their times with it.
  private var running = RunningTime()
  /// The effects of the current event.
  private var effects: [ClientEffect] = []

  /// - Parameter origin: The machine and the process of this client.
  public init(memory: any MemorySystem, origin: PeerOrigin = .unknown) { (self.memory, self.origin) = (memory, origin) }

  /// Whether there is a batch that has not ended.
  package var isBusy: Bool { conversation != nil }

  /// The name by which the coordinator keeps the batch, once the client knows it.
  package var keptName: String? { conversation.flatMap { $0.name.isEmpty ? nil : $0.name } }

  /// Whether the coordinator has stored all rows of the batch.
  package var areRowsStored: Bool { conversation.map { $0.rows.isRead && $0.rows.unstored.isEmpty } ?? false }

  /// The bytes of rows that were sent and whose results are still missing.
  public var bytesUnderWay: Int { conversation?.rows.underWay.bytes ?? 0 }

  package var sendsRows: Bool { conversation?.sendsRows ?? false }

  /// The number of bytes of rows to read next; nil while there is no room for them, or at their end.
  public var wantedBytes: Int? {
    guard let conversation, conversation.sendsRows, !conversation.sentRowsTooEarly else { return nil }
    return conversation.rows.wantedBytes(waitsForResults: !conversation.isDetached)
  }

  /// Returns a copy of rows to be sent. The copy is in shared memory if that has room.
  public func copyRows(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes {
    conversation?.channel?.copy(bytes) ?? OwnedBytes(copying: bytes)
  }

  // MARK: Events

  /// Appends the effects of an event in the order in which the loop carries them out.
  public mutating func handle(_ event: ClientEvent, at time: EventTime, into effects: inout [ClientEffect]) {
    swap(&self.effects, &effects)
    defer { swap(&self.effects, &effects) }
    running.advance(to: time)
    let now = running.nanoseconds
    switch event {
    case .begin(let request, let isShort, let session):
      begin(request, isShort: isShort, session: session, at: now)
    case .complete: send(.complete(batch: number))
    case .cancel:
      conversation = nil
      send(.cancel(batch: number))
    case .conversation(let event):
      guard var conversation = self.conversation else { break }
      // The conversation is not copied while it changes.
      self.conversation = nil
      handle(event, at: now, &conversation)
      if !conversation.hasEnded { self.conversation = conversation }
    }
    #if DEBUG
      checkInvariants { preconditionFailure($0) }
    #endif
  }

  mutating func emit(_ effect: ClientEffect) { effects.append(effect) }
  mutating func send(_ message: ClientMessage, _ parts: [OwnedBytes] = []) { emit(.send(message, parts)) }

  private mutating func begin(_ request: ClientRequest, isShort: Bool, session: UInt64, at now: UInt64) {
    number += 1
    var conversation = Conversation(request: request, session: session, at: now)
    // The same memory serves the whole batch.
    conversation.channel = isShort ? nil : PeerMemoryChannel(memory, others: Self.openMemories)
    switch request {
    case .run(_, let kept?): attach(kept, &conversation)
    case .run(let description, nil), .submit(let description):
      submit(description, conversation)
      conversation.rows.submit(isShort: isShort)
    case .fetch(let name): attach(name, &conversation)
    case .cancel(let name): send(.cancelNamed(batch: number, name: name))
    }
    self.conversation = conversation
  }

  private mutating func handle(_ event: ConversationEvent, at now: UInt64, _ conversation: inout Conversation) {
    switch event {
    case .message(let message, let parts):
      conversation.lastMessage = now
      if message.batch == number { handle(message, parts, &conversation) }
    case .malformedMessage:
      conversation.lastMessage = now
      conversation.hasLostMessages = true
      // The damaged message may have contained results. Later results are then out of order until the batch was requested
      // again.
      if !conversation.name.isEmpty { conversation.hasLostResults = true }
    case .rowsRead(let chunk):
      let mayRepeat = !conversation.isAccepted || !conversation.name.isEmpty
      if conversation.rows.add(chunk, mayRepeat: mayRepeat) { send(chunk, conversation) }
    case .rowsEnded: conversation.rows.noteEnd()
    case .programRead(let program, let request):
      conversation.program = program
      send(request, of: program)
    case .tick: checkSilence(&conversation, at: now)
    }
    if !conversation.hasEnded { askAgainAfterLoss(&conversation, at: now) }
  }
}
