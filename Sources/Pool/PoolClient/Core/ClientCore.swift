import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// A client without its socket, clock and files: it receives events with their time and returns effects.
///
/// It has a coordinator lay out one batch at a time: it sends rows as there is room for them and takes results in row
/// order. If the coordinator keeps the batch, it may end and come back meanwhile.
public final class ClientCore {
  /// Nanoseconds without a message from the coordinator, which pings, after which it counts as gone: before it has accepted
  /// the batch, and afterwards, when a slow connection may carry large results, and for a batch that is kept.
  static let silenceTimeout: UInt64 = 20_000_000_000
  static let acceptedSilenceTimeout: UInt64 = 60_000_000_000
  static let keptSilenceTimeout: UInt64 = 120_000_000_000
  /// Nanoseconds of silence after which the client shows an accepted batch to the coordinator: one that was started again
  /// replies that it does not know it.
  static let probeInterval: UInt64 = 500_000_000
  /// Nanoseconds of silence after which the batch is asked for again, on what may be another connection.
  static let attachInterval: UInt64 = 2_000_000_000
  /// The number of damaged results after which a batch fails.
  private static let maxDamagedResults = 8
  /// The number of workers' memories that stay open.
  private static let openMemories = 64

  /// Nanoseconds between requests for a batch that the coordinator does not know on this connection.
  private static let unknownInterval: UInt64 = 100_000_000

  private let memory: any MemorySystem
  private let origin: PeerOrigin
  /// The time of the event, in nanoseconds.
  private var now: UInt64 = 0
  private var state = State.idle
  private var effects: [ClientEffect] = []
  /// The number of the last batch, by which the coordinator's messages are recognized.
  public private(set) var number: UInt64 = 0

  private enum State {
    case idle
    case busy(Conversation)
    case ended
  }

  /// - Parameter origin: The machine and the process of this client.
  public init(memory: any MemorySystem, origin: PeerOrigin = .unknown) { (self.memory, self.origin) = (memory, origin) }

  /// The name by which the coordinator keeps the batch, once the client knows it.
  package var keptName: String? {
    if case .busy(let conversation) = state, !conversation.name.isEmpty { conversation.name } else { nil }
  }

  /// The bytes of rows that were sent and whose results have not all arrived.
  public var bytesUnderWay: Int {
    if case .busy(let conversation) = state { conversation.rows.bytesUnderWay } else { 0 }
  }

  /// Whether the request has rows to send.
  package var sendsRows: Bool { if case .busy(let conversation) = state { conversation.sendsRows } else { false } }

  /// The number of bytes of rows to read next; nil while there is no room for them, or at their end.
  public var wantedBytes: Int? {
    guard case .busy(let conversation) = state, conversation.sendsRows, !conversation.sentRowsTooEarly else {
      return nil
    }
    return conversation.rows.wantedBytes(waitsForResults: !conversation.isDetached)
  }

  /// Returns a copy of rows that are to be sent, which lies in shared memory where there is room.
  public func copyRows(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes {
    guard case .busy(let conversation) = state, let copy = conversation.channel?.copy(bytes) else {
      return OwnedBytes(copying: bytes)
    }
    return copy
  }

  // MARK: Begin

  /// Begins a request, and returns what is to be done.
  ///
  /// - Parameters:
  ///   - isShort: Whether all rows fit into one chunk.
  ///   - session: A random number other than zero.
  ///   - now: The time in nanoseconds of a clock that never goes back.
  public func begin(_ request: ClientRequest, isShort: Bool, session: UInt64, at now: UInt64) -> [ClientEffect] {
    number += 1
    effects = []
    var conversation = Conversation(request: request, session: session, at: now)
    // The same memory serves the whole batch.
    conversation.channel = isShort ? nil : PeerMemoryChannel(memory, others: Self.openMemories)
    switch request {
    case .run(_, _, let kept?): attach(kept, &conversation)
    case .run(let description, _, nil), .submit(let description, _):
      submit(description, &conversation)
      conversation.rows.submit(isShort: isShort)
    case .fetch(let name): attach(name, &conversation)
    case .cancel(let name): send(.cancelNamed(batch: number, name: name))
    }
    state = .busy(conversation)
    return takeEffects()
  }

  /// Returns what is to be done about an event, in this order.
  public func handle(_ event: ClientEvent, at now: UInt64) -> [ClientEffect] {
    self.now = now
    guard case .busy(var conversation) = state else { return [] }
    // The state is not copied while it changes.
    state = .ended
    let goesOn: Bool
    switch event {
    case .message(let message, let parts):
      conversation.lastMessage = now
      goesOn = message.batch != number || handle(message, parts, &conversation)
    case .rowsRead(let chunk):
      if conversation.rows.add(chunk, isKept: !conversation.name.isEmpty) { send(chunk, &conversation) }
      goesOn = true
    case .rowsEnded:
      conversation.rows.noteEnd()
      goesOn = true
    case .programRead(let program, let request):
      conversation.program = program
      send(request, of: program)
      goesOn = true
    case .tick: goesOn = noteSilence(&conversation, at: now)
    }
    if goesOn { state = .busy(conversation) }
    return takeEffects()
  }

  /// Returns the message with which the coordinator forgets a batch that was begun.
  public func cancelMessage() -> ClientMessage {
    state = .ended
    return .cancel(batch: number)
  }

  /// Returns the message with which the coordinator need not keep a batch any longer, because its tables are complete.
  public func completeMessage() -> ClientMessage { .complete(batch: number) }

  private func takeEffects() -> [ClientEffect] {
    defer { effects = [] }
    return effects
  }

  private func noteSilence(_ conversation: inout Conversation, at now: UInt64) -> Bool {
    let silence = now - conversation.lastMessage
    let isKept = !conversation.name.isEmpty
    let timeout =
      isKept
      ? Self.keptSilenceTimeout : conversation.isAccepted ? Self.acceptedSilenceTimeout : Self.silenceTimeout
    guard silence < timeout else { return fail(.silent) }
    if now - max(conversation.lastMessage, conversation.lastAttach) >= Self.attachInterval {
      conversation.lastAttach = now
      if askAgainIfPossible(&conversation) { return true }
    }
    if conversation.isAccepted, now - max(conversation.lastMessage, conversation.lastProbe) >= Self.probeInterval {
      conversation.lastProbe = now
      acknowledge(conversation)
    }
    return true
  }

  /// Asks for the batch on what may be another connection. Returns false where it cannot continue there.
  private func askAgainIfPossible(_ conversation: inout Conversation) -> Bool {
    if !conversation.name.isEmpty {
      attach(conversation.name, &conversation)
    } else if !conversation.isAccepted, let description = conversation.submission {
      conversation.sentRowsTooEarly = true
      submit(description, &conversation)
    } else {
      switch conversation.request {
      case .fetch(let name): attach(name, &conversation)
      case .cancel(let name): send(.cancelNamed(batch: number, name: name))
      case .run, .submit: return false
      }
    }
    return true
  }

  // MARK: Messages of the coordinator

  /// Returns whether the request continues.
  private func handle(
    _ message: MessageToClient, _ parts: [OwnedBytes], _ conversation: inout Conversation
  ) -> Bool {
    switch message {
    case .programWanted(_, let request):
      conversation.sentRowsTooEarly = true
      if let program = conversation.program {
        send(request, of: program)
      } else if conversation.sendsRows {
        effects.append(.readProgram(request))
      }
      return true
    case .unknown:
      // Several messages on the old connection have this reply; the first is enough to ask again.
      guard now >= conversation.lastAttach + Self.unknownInterval else { return true }
      conversation.lastAttach = now
      return askAgainIfPossible(&conversation) || fail(.lostConnection)
    case .accepted(let accepted): return handle(accepted, &conversation)
    case .stored(_, let rows, let isComplete):
      conversation.rows.noteStored(upTo: rows, isComplete: isComplete)
      return !(conversation.isDetached && isComplete) || end(conversation)
    case .rows(_, let runs): return take(runs, parts, &conversation)
    case .done(_, let rows, let input):
      if conversation.hasLostResults { return true }
      guard rows == conversation.nextRow else { return fail(.outOfOrder) }
      return end(conversation, input)
    case .failed(_, let reason): return fail(.failed(reason))
    case .cancelled:
      if case .cancel = conversation.request { return end(conversation) }
      return true
    case .waiting(_, let reason):
      effects.append(.wait(reason: reason))
      return true
    case .status, .batches, .ping: return true
    }
  }

  private func handle(_ accepted: MessageToClient.Accepted, _ conversation: inout Conversation) -> Bool {
    if let asked = conversation.submission {
      guard asked.program == accepted.description.program, asked.variants == accepted.description.variants else {
        return fail(.otherRequest)
      }
    }
    (conversation.isAccepted, conversation.name) = (true, accepted.name)
    conversation.hasLostResults = false
    conversation.channel?.connect(accepted.memory)
    if case .fetch = conversation.request, !conversation.hasBegun {
      conversation.hasBegun = true
      effects.append(.begin(KeptBatch(name: accepted.name, description: accepted.description)))
    }
    guard conversation.sendsRows else { return true }
    let chunks = conversation.rows.accept(
      window: Int(clamping: accepted.window), storedRows: accepted.storedRows, isComplete: accepted.isComplete,
      isKept: !accepted.name.isEmpty, sendsAgain: conversation.sentRowsTooEarly)
    conversation.sentRowsTooEarly = false
    guard let chunks else { return fail(.lostRows) }
    for chunk in chunks { send(chunk, &conversation) }
    return !(conversation.isDetached && accepted.isComplete && !accepted.name.isEmpty) || end(conversation)
  }

  /// Takes runs of rows in order.
  private func take(_ runs: [ResultRun], _ parts: [OwnedBytes], _ conversation: inout Conversation) -> Bool {
    let before = conversation.nextRow
    for run in runs {
      // Columns of rows that are not wanted are looked up too, which releases their memory.
      let columns = run.columns.map { conversation.channel?.columns($0) } ?? parts
      // Rows come again when the batch was asked for again.
      guard run.firstRow >= conversation.nextRow, !conversation.hasLostResults else { continue }
      guard run.firstRow == conversation.nextRow else { return fail(.outOfOrder) }
      guard let columns else {
        if conversation.channel?.hasLostCoordinator == false { conversation.sharesMemory = false }
        guard askAgain(&conversation, .outOfSight) else { return false }
        continue
      }
      guard columns.map(\.checksum) == run.checksums else {
        conversation.damagedResults += 1
        guard conversation.damagedResults < Self.maxDamagedResults else { return fail(.damaged) }
        guard askAgain(&conversation, .damaged) else { return false }
        continue
      }
      // The results of a detached batch belong to the client that fetches it.
      if !conversation.isDetached { effects.append(.take(rows: Int(run.rows), columns: columns)) }
      conversation.nextRow += UInt64(run.rows)
    }
    guard conversation.nextRow > before else { return true }
    conversation.rows.release(upTo: conversation.nextRow)
    if !conversation.name.isEmpty { acknowledge(conversation) }
    return true
  }

  private func acknowledge(_ conversation: Conversation) {
    send(
      .acknowledge(batch: number, rows: conversation.nextRow, seenToken: conversation.channel?.seenToken ?? 0))
  }

  /// Results are not seen, perhaps because the coordinator that showed them has ended, or they are damaged. If the batch is
  /// kept, they can come again.
  private func askAgain(_ conversation: inout Conversation, _ error: PoolError) -> Bool {
    guard !conversation.name.isEmpty else { return fail(error) }
    conversation.hasLostResults = true
    attach(conversation.name, &conversation)
    return true
  }

  private func end(_ conversation: Conversation, _ input: InputSummary? = nil) -> Bool {
    effects.append(.end(name: conversation.name, input: input))
    return false
  }

  private func fail(_ error: PoolError) -> Bool {
    effects.append(.fail(error))
    return false
  }

  // MARK: Messages of the client

  private func send(_ message: ClientMessage, _ parts: [OwnedBytes] = []) { effects.append(.send(message, parts)) }

  private func submit(_ description: BatchDescription, _ conversation: inout Conversation) {
    let submit = ClientMessage.Submit(
      version: Version.current, batch: number, description: description, isDetached: conversation.isDetached,
      memory: conversation.channel?.offer ?? .none, session: conversation.session, origin: origin)
    send(.submit(submit))
  }

  private func send(_ request: ProgramRequest, of program: OwnedBytes) {
    for range in request.parts(ofProgramWith: program.count) {
      let part = ClientMessage.program(
        batch: number, offset: UInt64(range.lowerBound), size: UInt64(program.count))
      send(part, [program.slice(range)])
    }
  }

  private func attach(_ name: String, _ conversation: inout Conversation) {
    conversation.attempt += 1
    // Nobody releases what was left for a coordinator that has ended.
    if conversation.channel?.hasLostCoordinator == true {
      conversation.channel = PeerMemoryChannel(memory, others: Self.openMemories)
    }
    let offer = conversation.sharesMemory ? conversation.channel?.offer : nil
    let attach = ClientMessage.Attach(
      version: Version.current, batch: number, name: name, firstRow: conversation.nextRow, memory: offer ?? .none,
      session: conversation.session, attempt: conversation.attempt, sendsRows: conversation.sendsRows, origin: origin)
    send(.attach(attach))
  }

  private func send(_ chunk: RowsChunk, _ conversation: inout Conversation) {
    let left = conversation.sharesMemory ? conversation.channel?.leave(chunk.lines) : nil
    let message = ClientMessage.Chunk(
      batch: number, header: chunk.header, end: chunk.end, lines: left, checksum: chunk.lines.checksum,
      seenToken: conversation.channel?.seenToken ?? 0)
    send(.chunk(message), left == nil ? [chunk.lines] : [])
  }
}
