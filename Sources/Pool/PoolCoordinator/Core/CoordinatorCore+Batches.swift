import Buffers
import PoolProtocol

/// Batches that clients open, resume and end.
extension CoordinatorCore {
  /// Nanoseconds that the rows of a kept batch may be incomplete without a client to send the rest.
  static let abandonedTime: UInt64 = 600_000_000_000

  mutating func receive(
    _ message: ClientMessage, _ parts: [OwnedBytes], from identity: PeerIdentity, _ holder: KeyHolder
  ) {
    func client(_ number: UInt64) -> ClientConnection.ID { .init(identity: identity, holder: holder, number: number) }
    guard holder.maySubmit else { return refuse(message, from: identity, holder) }
    switch message {
    case .submit(let submit): receive(submit, client(submit.batch))
    case .program(let number, let offset, let size): addProgram(parts.first, offset, size, client(number))
    case .attach(let attach): resume(attach, client(attach.batch))
    case .chunk(let number, let chunk, let checksum, let seenToken):
      // The client repeats the rows that it sent before the program.
      if state.uploads[client(number)] != nil { return }
      guard batch(of: client(number)) != nil else { return refuseUnknown(client(number)) }
      add(chunk, checksum: checksum, seenToken: seenToken, parts, client(number))
    case .acknowledge(let number, let rows, let token):
      guard batch(of: client(number)) != nil else { return refuseUnknown(client(number)) }
      noteAcknowledgement(client(number), rows, token)
    case .complete(let number): if let batch = batch(ofLast: client(number)), batch.isKept { close(batch.id) }
    case .cancel(let number): if let batch = batch(ofLast: client(number)) { close(batch.id) }
    case .cancelNamed(let number, let name): cancel(name, client(number))
    case .cancelAll(let number): cancelAll(client(number))
    case .status: sendStatus(to: identity, holder)
    case .listBatches(let name): sendBatches(after: name, to: identity, holder)
    }
  }

  /// A worker learns whether the coordinator runs, and nothing else.
  private mutating func refuse(_ message: ClientMessage, from identity: PeerIdentity, _ holder: KeyHolder) {
    let number: UInt64
    switch message {
    case .status: return sendStatus(to: identity, holder)
    case .submit(let submit): number = submit.batch
    case .attach(let attach): number = attach.batch
    case .cancelNamed(let batch, _), .cancelAll(let batch): number = batch
    case .listBatches: number = 0
    case .chunk, .program, .acknowledge, .complete, .cancel: return
    }
    let reason = "\(holder.name) is the key of a \(holder.role.rawValue), which may not use batches"
    send(.failed(batch: number, reason: reason), toClient: identity)
  }

  func batch(of client: ClientConnection.ID) -> OpenBatch? {
    state.batchesByClient[client].flatMap { state.batches[$0] }
  }

  /// Returns a batch that a peer may use. The error for another owner's batch equals that for a missing batch.
  func batch(named name: String, for holder: KeyHolder) -> OpenBatch? {
    guard let batch = BatchName.id(name).flatMap({ state.batches[$0] }) else { return nil }
    return holder.mayUse(batchOf: batch.description.owner) ? batch : nil
  }

  static func restriction(of holder: KeyHolder) -> String {
    holder.role == .client ? " that was submitted with the key \(holder.name)" : ""
  }

  /// Returns the batch of a client that may already count as disconnected. A client that has sent its last message
  /// disconnects, and libzmq reports that before the message is received.
  private func batch(ofLast client: ClientConnection.ID) -> OpenBatch? {
    batch(of: client) ?? state.batches.values.first { $0.client.isLast(client) }
  }

  // MARK: Resuming

  /// Connects a client to a kept batch, which it submitted or fetches.
  private mutating func resume(_ attach: ClientMessage.Attach, _ id: ClientConnection.ID) {
    if let reason = refusal(ofVersion: attach.version) { return refuse(id, reason) }
    guard let batch = batch(named: attach.name, for: id.holder), batch.isKept else {
      return refuse(id, absence(of: attach, id.holder))
    }
    let isLate = attach.session == batch.client.lastAttempt.session && attach.attempt <= batch.client.lastAttempt.number
    if isLate && attach.session != 0 { return }
    resume(batch, attach, id, wantsResults: true)
  }

  /// Returns why the coordinator does not have a batch that a client asks for. A client that sends the batch does not send it once
  /// more by itself, because the batch may have been cancelled while the client was disconnected.
  private func absence(of attach: ClientMessage.Attach, _ holder: KeyHolder) -> String {
    if let unreadable = BatchName.id(attach.name).flatMap({ state.unreadable[$0] }), holder.mayUse(batchOf: "") {
      let wayOut = attach.sendsRows && unreadable.isDamaged ? "; submit the batch again" : ""
      return "batch \(attach.name) cannot be fetched: its journal \(unreadable.reason)\(wayOut)"
    }
    // The name of the client's key may have changed since it submitted the batch.
    let last =
      holder.role == .client
      ? "its journal is lost, or it belongs to a key of another name" : "or its journal is lost"
    let wayOut = attach.sendsRows ? ": it was fetched or cancelled, \(last); submit the batch again" : ""
    return "the coordinator keeps no batch \(attach.name)\(Self.restriction(of: holder))\(wayOut)"
  }

  /// Connects a client to a kept batch, or refuses it. Three kinds of clients resume a batch:
  ///
  /// | client | `isKnown` | `sendsRows` | refused if |
  /// | --- | --- | --- | --- |
  /// | the last one, which has another connection or has lost messages | yes | yes or no | |
  /// | one that sends rows, after another client has resumed the batch | no | yes | |
  /// | one that fetches | no | no | a connected client still sends rows, or the batch is partial |
  ///
  /// Each is refused if the batch has failed, if another client has taken over the complete batch from it, or if no results begin at
  /// its next row, and one that sends rows also if the batch has ended without its last rows. The second and the third take the batch
  /// over from a client that is connected.
  mutating func resume(
    _ batch: OpenBatch, _ attach: ClientMessage.Attach, _ id: ClientConnection.ID, wantsResults: Bool
  ) {
    if case .failed(let reason) = batch.phase {
      refuse(id, reason)
      return close(batch.id)
    }
    // The client is accepted when the journal has been created.
    if case .creating = batch.phase { return }
    // A delayed request of a client that has ended does not take the batch from the current client.
    guard !batch.client.replacedSessions.contains(attach.session) else { return refuse(id, Self.takenOver(batch)) }
    guard !attach.sendsRows || batch.rows.input != .unknown else {
      return refuse(id, "batch \(attach.name) has ended without its last rows, because its journal is damaged")
    }
    let isKnown = batch.client.isKnown(attach.session)
    let fetches = !isKnown && !attach.sendsRows
    // A client that fetches would end the one that sends the batch, and the rest of the rows would be lost.
    if fetches, !batch.isComplete, batch.client.givenUpAt == nil, let sender = batch.client.connection,
      sender.id != id
    {
      return refuse(id, Self.stillSent(batch))
    }
    guard !fetches || !batch.description.isPartial else { return refuse(id, Self.partial(batch)) }
    guard batch.results.queue.restart(at: attach.firstRow, limit: batch.isOpen ? batch.rows.received : 0) else {
      return refuse(id, Self.noResults(of: batch, at: attach.firstRow))
    }
    if let earlier = batch.client.connection, earlier.id != id {
      state.batchesByClient.removeValue(forKey: earlier.id)
      if !isKnown { refuse(earlier.id, Self.takenOver(batch)) }
    }
    // Only the last client can send the remaining rows.
    batch.client.resume(
      connection(id, memory: attach.memory, attach.origin, wantsResults: wantsResults), session: attach.session,
      attempt: attach.attempt, endsLast: batch.isComplete, sendsRows: attach.sendsRows)
    if !attach.sendsRows && !batch.isComplete { batch.client.expectRows(until: now + Self.abandonedTime) }
    batch.results.dropUnsent()
    add(batch)
    accept(batch)
    sayWhatIsMissing(batch)
    sendResults(of: batch)
  }

  private static func takenOver(_ batch: OpenBatch) -> String { "another client took over batch \(batch.name)" }

  private static func partial(_ batch: OpenBatch) -> String {
    "batch \(batch.name) can be used by its client only, galley submit --base or a gateway; it is removed 10 minutes after that has "
      + "ended, or with galley cancel \(batch.name)"
  }

  private static func stillSent(_ batch: OpenBatch) -> String {
    "batch \(batch.name) is not complete: its client still sends rows; fetch it when galley batches lists all of them"
  }

  /// Only a batch with all of its rows can be fetched, and a partial one can be used by its client only.
  static func noResults(of batch: OpenBatch, at row: UInt64) -> String {
    let canBeFetched = batch.isComplete && !batch.description.isPartial
    let wayOut = canBeFetched ? "galley fetch \(batch.name) fetches it from its first row" : "submit the batch again"
    return "batch \(batch.name) has no results that begin at row \(row): \(wayOut)"
  }

  /// A client that fetches a batch may have to wait for the client that has the remaining rows, or for the journal.
  private mutating func sayWhatIsMissing(_ batch: OpenBatch) {
    var reason = batch.journal.pauseReason
    if let time = batch.client.givenUpAt {
      let seconds = time > now ? (time - now) / 1_000_000_000 : 0
      reason =
        "the client that has the rest of its rows is not connected\(batch.journal.isDoubtful ? ", and its journal is damaged" : "")"
        + "; the batch ends without them in \(seconds) s"
    }
    if let reason { sendWaiting(reason, batch) }
  }

  static let noWorker = "no worker is connected"

  /// Tells clients whose batches have jobs and wait for a worker that none is registered, and later that one is.
  mutating func reportMissingWorkers() {
    // The coordinator starts its own workers itself.
    let advice = configuration.processes == 0 ? "; start one (galley worker)" : ""
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) where batch.journal.pauseReason == nil {
      let waits = state.workers.isEmpty && state.scheduler.batch(id).map { $0.queued > 0 } == true
      guard let isMissing = batch.client.noteWaitForWorkers(waits, at: now) else { continue }
      sendWaiting(isMissing ? Self.noWorker + advice : "", batch)
    }
  }

  /// Tells the client of a batch, if it is connected, why it has to wait; an empty reason says that it need not wait any longer.
  mutating func sendWaiting(_ reason: String, _ batch: OpenBatch) {
    guard let client = batch.client.connection else { return }
    send(.waiting(batch: client.id.number, reason: reason), toClient: client.id.identity)
  }
}
