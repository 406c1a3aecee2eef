import Buffers
import Hashing
import PoolMemory
import PoolProtocol

/// A client without its socket, clock and files: it receives events with their time and returns effects.
///
/// It has a coordinator lay out one batch at a time: it sends rows as there is room for them and takes results in row
/// order. If the coordinator keeps the batch, the client continues after a restart of the coordinator.
public struct ClientCore: ~Copyable {
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
  static let maxDamagedResults = 8
  /// The number of workers' memories that stay open.
  private static let openMemories = 64

  /// Nanoseconds between requests for a batch that the coordinator does not know on this connection.
  private static let unknownInterval: UInt64 = 100_000_000

  private let memory: any MemorySystem
  private let origin: PeerOrigin
  private(set) var state = State.idle
  /// The number of the last batch, by which the coordinator's messages are recognized.
  public private(set) var number: UInt64 = 0

  enum State {
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

  /// The bytes of rows that were sent and whose results are still missing.
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

  // MARK: Events

  /// Appends the effects of an event in the order in which the loop carries them out.
  ///
  /// - Parameter now: The time in nanoseconds of a clock that never goes back.
  public mutating func handle(_ event: ClientEvent, at now: UInt64, into effects: inout [ClientEffect]) {
    switch event {
    case .begin(let request, let isShort, let session):
      begin(request, isShort: isShort, session: session, at: now, into: &effects)
    case .complete: effects.append(.send(.complete(batch: number), []))
    case .cancel:
      state = .ended
      effects.append(.send(.cancel(batch: number), []))
    case .conversation(let event):
      guard case .busy(var conversation) = state else { break }
      // The conversation is not copied while it changes.
      state = .ended
      handle(event, at: now, &conversation, into: &effects)
      if !conversation.hasEnded { state = .busy(conversation) }
    }
    #if DEBUG
      checkInvariants { preconditionFailure($0) }
    #endif
  }

  private mutating func begin(
    _ request: ClientRequest, isShort: Bool, session: UInt64, at now: UInt64, into effects: inout [ClientEffect]
  ) {
    number += 1
    var conversation = Conversation(request: request, session: session, at: now)
    // The same memory serves the whole batch.
    conversation.channel = isShort ? nil : PeerMemoryChannel(memory, others: Self.openMemories)
    switch request {
    case .run(_, _, let kept?): attach(kept, &conversation, into: &effects)
    case .run(let description, _, nil), .submit(let description, _):
      submit(description, conversation, into: &effects)
      conversation.rows.submit(isShort: isShort)
    case .fetch(let name): attach(name, &conversation, into: &effects)
    case .cancel(let name): effects.append(.send(.cancelNamed(batch: number, name: name), []))
    }
    state = .busy(conversation)
  }

  private func handle(
    _ event: ConversationEvent, at now: UInt64, _ conversation: inout Conversation,
    into effects: inout [ClientEffect]
  ) {
    switch event {
    case .message(let message, let parts):
      conversation.lastMessage = now
      if message.batch == number { handle(message, parts, at: now, &conversation, into: &effects) }
    case .rowsRead(let chunk):
      if conversation.rows.add(chunk, isKept: !conversation.name.isEmpty) {
        send(chunk, conversation, into: &effects)
      }
    case .rowsEnded: conversation.rows.noteEnd()
    case .programRead(let program, let request):
      conversation.program = program
      send(request, of: program, into: &effects)
    case .tick: checkSilence(&conversation, at: now, into: &effects)
    }
  }

  private func checkSilence(
    _ conversation: inout Conversation, at now: UInt64, into effects: inout [ClientEffect]
  ) {
    let silence = now - conversation.lastMessage
    let isKept = !conversation.name.isEmpty
    let timeout =
      isKept
      ? Self.keptSilenceTimeout : conversation.isAccepted ? Self.acceptedSilenceTimeout : Self.silenceTimeout
    guard silence < timeout else { return fail(.silent, &conversation, into: &effects) }
    if now - max(conversation.lastMessage, conversation.lastAttach) >= Self.attachInterval {
      conversation.lastAttach = now
      if askAgainIfPossible(&conversation, into: &effects) { return }
    }
    if conversation.isAccepted, now - max(conversation.lastMessage, conversation.lastProbe) >= Self.probeInterval {
      conversation.lastProbe = now
      acknowledge(conversation, into: &effects)
    }
  }

  /// Asks for the batch on what may be another connection. Returns false where it cannot continue there.
  private func askAgainIfPossible(
    _ conversation: inout Conversation, into effects: inout [ClientEffect]
  ) -> Bool {
    if !conversation.name.isEmpty {
      attach(conversation.name, &conversation, into: &effects)
    } else if !conversation.isAccepted, let description = conversation.submission {
      conversation.sentRowsTooEarly = true
      submit(description, conversation, into: &effects)
    } else {
      switch conversation.request {
      case .fetch(let name): attach(name, &conversation, into: &effects)
      case .cancel(let name): effects.append(.send(.cancelNamed(batch: number, name: name), []))
      case .run, .submit: return false
      }
    }
    return true
  }

  // MARK: Messages of the coordinator

  private func handle(
    _ message: MessageToClient, _ parts: [OwnedBytes], at now: UInt64, _ conversation: inout Conversation,
    into effects: inout [ClientEffect]
  ) {
    switch message {
    case .programWanted(_, let request):
      conversation.sentRowsTooEarly = true
      if let program = conversation.program {
        send(request, of: program, into: &effects)
      } else if conversation.sendsRows {
        effects.append(.readProgram(request))
      }
    case .unknown:
      // Several messages on the old connection have this reply. One request is enough for all of them.
      guard now >= conversation.lastAttach + Self.unknownInterval else { return }
      conversation.lastAttach = now
      if !askAgainIfPossible(&conversation, into: &effects) {
        fail(.lostConnection, &conversation, into: &effects)
      }
    case .accepted(let accepted): handle(accepted, &conversation, into: &effects)
    case .stored(_, let rows, let isComplete):
      conversation.rows.noteStored(upTo: rows, isComplete: isComplete)
      if conversation.isDetached && isComplete { end(&conversation, into: &effects) }
    case .rows(_, let runs): take(runs, parts, &conversation, into: &effects)
    case .done(_, let rows, let input):
      if conversation.hasLostResults { return }
      guard rows == conversation.nextRow else { return fail(.outOfOrder, &conversation, into: &effects) }
      end(&conversation, input, into: &effects)
    case .failed(_, let reason): fail(.failed(reason), &conversation, into: &effects)
    case .cancelled: if case .cancel = conversation.request { end(&conversation, into: &effects) }
    case .waiting(_, let reason): effects.append(.wait(reason: reason))
    case .status, .batches, .ping: break
    }
  }

  private func handle(
    _ accepted: MessageToClient.Accepted, _ conversation: inout Conversation, into effects: inout [ClientEffect]
  ) {
    if let asked = conversation.submission {
      guard asked.program == accepted.description.program, asked.variants == accepted.description.variants else {
        return fail(.otherRequest, &conversation, into: &effects)
      }
    }
    (conversation.isAccepted, conversation.name) = (true, accepted.name)
    conversation.hasLostResults = false
    conversation.channel?.connect(accepted.memory)
    if case .fetch = conversation.request, !conversation.hasBegun {
      conversation.hasBegun = true
      effects.append(.begin(KeptBatch(name: accepted.name, description: accepted.description)))
    }
    guard conversation.sendsRows else { return }
    let chunks = conversation.rows.accept(
      window: Int(clamping: accepted.window), storedRows: accepted.storedRows, isComplete: accepted.isComplete,
      isKept: !accepted.name.isEmpty, sendsAgain: conversation.sentRowsTooEarly)
    conversation.sentRowsTooEarly = false
    guard let chunks else { return fail(.lostRows, &conversation, into: &effects) }
    for chunk in chunks { send(chunk, conversation, into: &effects) }
    if conversation.isDetached && accepted.isComplete && !accepted.name.isEmpty {
      end(&conversation, into: &effects)
    }
  }

  /// Takes runs of rows in order.
  private func take(
    _ runs: [ResultRun], _ parts: [OwnedBytes], _ conversation: inout Conversation,
    into effects: inout [ClientEffect]
  ) {
    let before = conversation.nextRow
    for run in runs {
      // Columns of rows that are not wanted are looked up too, which releases their memory.
      let columns = run.columns.map { conversation.channel?.columns($0) } ?? parts
      // Rows come again when the batch was asked for again.
      guard run.firstRow >= conversation.nextRow, !conversation.hasLostResults else { continue }
      guard run.firstRow == conversation.nextRow else { return fail(.outOfOrder, &conversation, into: &effects) }
      guard let columns else {
        if conversation.channel?.hasLostCoordinator == false { conversation.sharesMemory = false }
        askAgain(&conversation, .outOfSight, into: &effects)
        if conversation.hasEnded { return }
        continue
      }
      guard columns.map(\.checksum) == run.checksums else {
        conversation.damagedResults += 1
        guard conversation.damagedResults < Self.maxDamagedResults else {
          return fail(.damaged, &conversation, into: &effects)
        }
        askAgain(&conversation, .damaged, into: &effects)
        if conversation.hasEnded { return }
        continue
      }
      // The results of a detached batch belong to the client that fetches it.
      if !conversation.isDetached { effects.append(.take(rows: Int(run.rows), columns: columns)) }
      conversation.nextRow += UInt64(run.rows)
    }
    guard conversation.nextRow > before else { return }
    conversation.rows.release(upTo: conversation.nextRow)
    if !conversation.name.isEmpty { acknowledge(conversation, into: &effects) }
  }

  private func acknowledge(_ conversation: Conversation, into effects: inout [ClientEffect]) {
    let token = conversation.channel?.seenToken ?? 0
    effects.append(.send(.acknowledge(batch: number, rows: conversation.nextRow, seenToken: token), []))
  }

  /// Asks again for results that the client cannot see, perhaps because the coordinator that showed them has ended, or that
  /// are damaged. Only a kept batch has them still.
  private func askAgain(
    _ conversation: inout Conversation, _ error: PoolError, into effects: inout [ClientEffect]
  ) {
    guard !conversation.name.isEmpty else { return fail(error, &conversation, into: &effects) }
    conversation.hasLostResults = true
    attach(conversation.name, &conversation, into: &effects)
  }

  private func end(
    _ conversation: inout Conversation, _ input: InputSummary? = nil, into effects: inout [ClientEffect]
  ) {
    conversation.hasEnded = true
    effects.append(.end(name: conversation.name, input: input))
  }

  private func fail(_ error: PoolError, _ conversation: inout Conversation, into effects: inout [ClientEffect]) {
    conversation.hasEnded = true
    effects.append(.fail(error))
  }

  // MARK: Messages of the client

  private func submit(
    _ description: BatchDescription, _ conversation: Conversation, into effects: inout [ClientEffect]
  ) {
    let submit = ClientMessage.Submit(
      version: Version.current, batch: number, description: description, isDetached: conversation.isDetached,
      memory: conversation.channel?.offer ?? .none, session: conversation.session, origin: origin)
    effects.append(.send(.submit(submit), []))
  }

  private func send(_ request: ProgramRequest, of program: OwnedBytes, into effects: inout [ClientEffect]) {
    for range in request.parts(ofProgramWith: program.count) {
      let part = ClientMessage.program(
        batch: number, offset: UInt64(range.lowerBound), size: UInt64(program.count))
      effects.append(.send(part, [program.slice(range)]))
    }
  }

  private func attach(
    _ name: String, _ conversation: inout Conversation, into effects: inout [ClientEffect]
  ) {
    conversation.attempt += 1
    // Nobody releases what was left for a coordinator that has ended.
    if conversation.channel?.hasLostCoordinator == true {
      conversation.channel = PeerMemoryChannel(memory, others: Self.openMemories)
    }
    let offer = conversation.sharesMemory ? conversation.channel?.offer : nil
    let attach = ClientMessage.Attach(
      version: Version.current, batch: number, name: name, firstRow: conversation.nextRow, memory: offer ?? .none,
      session: conversation.session, attempt: conversation.attempt, sendsRows: conversation.sendsRows, origin: origin)
    effects.append(.send(.attach(attach), []))
  }

  private func send(_ chunk: RowsChunk, _ conversation: Conversation, into effects: inout [ClientEffect]) {
    let left = conversation.sharesMemory ? conversation.channel?.leave(chunk.lines) : nil
    let message = ClientMessage.Chunk(
      batch: number, header: chunk.header, end: chunk.end, lines: left, checksum: chunk.lines.checksum,
      seenToken: conversation.channel?.seenToken ?? 0)
    effects.append(.send(.chunk(message), left == nil ? [chunk.lines] : []))
  }
}
