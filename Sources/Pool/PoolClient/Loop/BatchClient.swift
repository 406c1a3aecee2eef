import Buffers
import Glibc
import PoolClientCore
import PoolEnvelopes
import PoolProtocol
import PoolSecurity
import PosixMemory
import Processes
import RowsFiles
import ZeroMQ

/// Has a coordinator lay out batches, one after the other: the loop around a `ClientCore`. It reports rows and
/// messages to the core, and carries out its effects.
public final class BatchClient {
  /// Milliseconds between ticks while no message comes.
  private static let tick = 100
  /// Milliseconds that the last message may take when the program ends.
  private static let shutdownLinger: Int32 = 1000

  private let socket: Socket
  private var core = ClientCore(
    memory: SystemMemory(), origin: PeerOrigin(host: HostName.current, process: Int64(getpid())))
  /// The current batch, if it has a program.
  private var request: BatchRequest?
  /// The name of the last batch if it has ended and the coordinator still keeps it.
  private var endedName: String?
  /// Called when the coordinator pauses the batch, with the reason, and when the batch continues, with nil.
  public var onPause: (String?) -> Void = { _ in }

  /// - Parameters:
  ///   - keys: The keys of this client, where the coordinator accepts by key.
  ///   - warn: The function of a client that waits for its coordinator; see `watchHandshakes` of sockets.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, warn: ((String) -> Void)? = nil
  ) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.setHighWaterMarks(send: 0, receive: 0)
    try socket.endLostConnections()
    try socket.connect(endpoint, keys, warn: warn)
  }

  /// The bytes of rows that were sent and whose results are still missing.
  public var bytesUnderWay: Int { core.bytesUnderWay }

  /// Takes the columns of the next rows, one part per variant.
  public typealias Take = (_ rows: Int, _ columns: [OwnedBytes]) throws -> Void

  /// Runs a batch to its end.
  ///
  /// - Parameters:
  ///   - resuming: The name of a kept batch with the same request, whose stored results of the same rows are used.
  ///   - shouldStop: Called between messages.
  /// - Throws: `PoolError`, `RowsError`, or what `take` throws.
  public func run(
    _ request: BatchRequest, rows: any RowsSource, resuming kept: String? = nil, shouldStop: () -> Bool, take: Take
  ) throws {
    _ = try converse(
      .run(request.description, resuming: kept), of: request, rows: rows, shouldStop: shouldStop, take: take)
  }

  /// Has the coordinator accept a batch and keep it without this client.
  ///
  /// - Returns: The name by which it can be fetched.
  public func submit(_ request: BatchRequest, rows: RowsReader, shouldStop: () -> Bool) throws -> String {
    try converse(.submit(request.description), of: request, rows: rows, shouldStop: shouldStop).name
  }

  /// Takes the results of a kept batch.
  ///
  /// - Parameter begin: Called with the description of the batch before its rows come.
  public func fetch(
    _ kept: String, shouldStop: () -> Bool, begin: (BatchDescription) throws -> Void, take: Take
  ) throws -> InputSummary {
    let end = try converse(.fetch(name: kept), shouldStop: shouldStop, begin: begin, take: take)
    guard let input = end.input else { throw PoolError.silent }
    return input
  }

  /// Ends a batch that a coordinator has.
  public func cancel(_ name: String, shouldStop: () -> Bool = { false }) throws {
    _ = try converse(.cancel(name: name), shouldStop: shouldStop)
  }

  /// Reports that the tables are complete: the coordinator need not keep the batch.
  public func complete() throws {
    guard endedName != nil else { return }
    _ = try handle(.complete)
    endedName = nil
    try socket.setLinger(Self.shutdownLinger)
  }

  /// Has the coordinator remove the current batch.
  public func cancel() {
    _ = try? handle(.cancel)
    try? socket.setLinger(Self.shutdownLinger)
  }

  /// The name of the current or last batch if the coordinator keeps it and has stored all of its rows. A batch with missing rows cannot be fetched.
  public var storedName: String? {
    guard request?.description.isPartial != true else { return nil }
    return core.areRowsStored ? core.keptName : endedName
  }

  /// Leaves the current batch. The coordinator keeps it or removes it.
  ///
  /// - Parameter keeps: Whether the coordinator keeps a batch whose rows it has stored.
  /// - Returns: The name of the batch, or nil if the coordinator does not keep it.
  public func leave(keeps: Bool) -> String? {
    guard core.isBusy || endedName != nil else { return nil }
    if keeps, let storedName { return storedName }
    cancel()
    return nil
  }

  // MARK: Conversation

  private typealias End = (name: String, input: InputSummary?)

  private func converse(
    _ request: ClientRequest, of batch: BatchRequest? = nil, rows: (any RowsSource)? = nil, shouldStop: () -> Bool,
    begin: (BatchDescription) throws -> Void = { _ in }, take: Take = { _, _ in }
  ) throws -> End {
    self.request = batch
    let isShort = rows?.contentSize.map { $0 <= ProtocolLimits.chunkBytes } ?? false
    endedName = nil
    var end = try handle(.begin(request, isShort: isShort, session: .random(in: 1 ... .max)), begin, take)
    while end == nil {
      if shouldStop() { throw PoolError.interrupted }
      let wanted = core.wantedBytes
      let ready = try wait(for: wanted == nil ? nil : rows)
      if ready.hasMessage {
        end = try receive(begin, take)
        continue
      }
      let event = if let rows, let wanted, ready.hasRows { try read(rows, wanted) } else { ConversationEvent.tick }
      end = try handle(.conversation(event), begin, take)
    }
    endedName = end.flatMap { $0.name.isEmpty ? nil : $0.name }
    return end ?? (name: "", input: nil)
  }

  /// Waits for a message of the coordinator, or for rows if they are wanted.
  private func wait(for rows: (any RowsSource)?) throws(ZeroMQError) -> (hasMessage: Bool, hasRows: Bool) {
    guard let rows else { return (try socket.wait(milliseconds: Self.tick), false) }
    guard let descriptor = rows.awaitedDescriptor else { return (try socket.wait(milliseconds: 0), true) }
    let ready = try socket.wait(milliseconds: Self.tick, or: descriptor)
    return (ready.hasMessage, ready.isReadable)
  }

  private func read(_ rows: any RowsSource, _ bytes: Int) throws(RowsError) -> ConversationEvent {
    try rows.next(bytes: bytes, copy: { core.copyRows($0) }).map { .rowsRead($0) } ?? .rowsEnded
  }

  /// Reports all messages that were received. Returns the end, if one of them was the last.
  private func receive(_ begin: (BatchDescription) throws -> Void, _ take: Take) throws -> End? {
    while let parts = try socket.receive() {
      let message = parts.first?.withBytes { MessageToClient(envelope: $0) }
      let event =
        message.map { ConversationEvent.message($0, parts.dropFirst().map(\.ownedBytes)) } ?? .malformedMessage
      if let end = try handle(.conversation(event), begin, take) { return end }
    }
    return nil
  }

  /// Reports an event to the core and carries out its effects. Returns the end if this is the last event.
  private func handle(
    _ event: ClientEvent, _ begin: (BatchDescription) throws -> Void = { _ in }, _ take: Take = { _, _ in }
  ) throws -> End? {
    var effects: [ClientEffect] = []
    // The coordinator that a client no longer waits for keeps the batch in its spool.
    let silentName = if case .conversation(.tick) = event { storedName } else { nil as String? }
    core.handle(event, at: EventTime(monotonic: Clock.monotonic()), into: &effects)
    for effect in effects {
      switch effect {
      case .send(let message, let parts): try send(message, parts)
      case .readProgram(let wanted):
        guard let request else { continue }
        let program = OwnedBytes(joining: try request.programParts())
        if let end = try handle(.conversation(.programRead(program, wanted)), begin, take) { return end }
      case .begin(let batch): try begin(batch)
      case .take(let rows, let columns): try take(rows, columns)
      case .wait(let reason): onPause(reason.isEmpty ? nil : reason)
      case .end(let name, let input): return (name, input)
      case .fail(let error):
        if error == .silent { endedName = silentName }
        throw error
      }
    }
    return nil
  }

  private func send(_ message: ClientMessage, _ parts: [OwnedBytes]) throws(ZeroMQError) {
    _ = try socket.send([message.encoded()], parts.map { MessagePart.sharing($0) })
  }
}
