import Buffers
import Hashing
import PoolMemory
import PoolProtocol
import PoolScheduler

/// Batches that clients open, resume and end.
extension CoordinatorCore {
  /// Nanoseconds that the rows of a kept batch may be incomplete without a client to send the rest.
  private static let abandonedTime: UInt64 = 600_000_000_000

  func receive(_ message: ClientMessage, _ parts: [OwnedBytes], from identity: PeerIdentity) {
    func client(_ number: UInt64) -> ClientConnection.ID { .init(identity: identity, number: number) }
    switch message {
    case .submit(let submit): create(submit, parts, client(submit.batch))
    case .attach(let attach): resume(attach, client(attach.batch))
    case .chunk(let chunk): add(chunk, parts, client(chunk.batch))
    case .acknowledge(let number, let rows, let token): noteAcknowledgement(client(number), rows, token)
    case .complete(let number): if let batch = batch(ofLast: client(number)), batch.isKept { close(batch.id) }
    case .cancel(let number): if let batch = batch(ofLast: client(number)) { close(batch.id) }
    case .cancelNamed(let number, let name): cancel(name, client(number))
    case .status: sendStatus(to: identity)
    }
  }

  func batch(of client: ClientConnection.ID) -> OpenBatch? {
    state.batchesByClient[client].flatMap { state.batches[$0] }
  }

  /// Returns the batch of a client that may already count as disconnected. A client that has sent its last message
  /// disconnects, and libzmq reports that before the message is received.
  private func batch(ofLast client: ClientConnection.ID) -> OpenBatch? {
    batch(of: client)
      ?? state.batches.values.first { $0.state.client == nil && $0.state.lostClient == client }
  }

  // MARK: Opening

  private func create(_ submit: ClientMessage.Submit, _ parts: [OwnedBytes], _ client: ClientConnection.ID) {
    if let reason = refusal(of: submit) { return refuse(client, reason) }
    let program = submit.description.program
    if let bytes = parts.first, state.programs[program] == nil {
      guard bytes.withBytes({ SHA256.hash($0) }) == program else {
        return refuse(client, "the program is not what its hash says")
      }
      state.programs.add(bytes, program)
    }
    guard let bytes = state.programs[program] else {
      return emit(.sendToClient(.programWanted(batch: client.number), [], client.identity))
    }
    state.fleet.tryAgain()
    // Numbers of batches grow with the time, also over restarts.
    state.lastBatch = max(state.lastBatch + 1, state.time.sinceEpoch)
    let batch = OpenBatch(
      state.lastBatch, submit.description, isKept: configuration.keepsBatches, isHeldInMemory: !submit.isDetached,
      phase: .creating)
    batch.state.lastAttempt = (submit.session, 0)
    batch.state.client = connection(client, memory: submit.memory, wantsResults: !submit.isDetached)
    add(batch)
    if batch.isKept {
      emit(.createJournal(batch.id, batch.description, program: state.programs.isGiven(program) ? nil : bytes))
    } else {
      open(batch.id)
    }
  }

  private func refusal(of submit: ClientMessage.Submit) -> String? {
    if let reason = refusal(ofVersion: submit.version) { return reason }
    guard case .running = state.life else { return "the coordinator is about to stop and takes no new batches" }
    if submit.isDetached && !configuration.keepsBatches {
      return "the coordinator keeps no batches, so none can be detached; start it with --spool"
    }
    let variants = submit.description.variants
    guard !variants.isEmpty, variants.count <= ProtocolLimits.variants, variants.allSatisfy(format.isValid) else {
      return "the batch has no sensible variants"
    }
    return nil
  }

  private func refusal(ofVersion version: String) -> String? {
    version == Version.current ? nil : "this coordinator is version \(Version.current), the client \(version)"
  }

  private func connection(
    _ id: ClientConnection.ID, memory: MemoryReference, wantsResults: Bool
  ) -> ClientConnection {
    state.lastFetch += 1
    return ClientConnection(
      id: id, channel: CoordinatorMemoryChannel(memory, self.memory), wantsResults: wantsResults,
      fetch: state.lastFetch)
  }

  func add(_ batch: OpenBatch) {
    state.batches[batch.id] = batch
    if let client = batch.state.client { state.batchesByClient[client.id] = batch.id }
  }

  /// The batch has its journal, if it needs one.
  func open(_ id: BatchID) {
    guard let batch = state.batches[id], case .creating = batch.state.phase else { return }
    batch.state.phase = .open
    let cost = state.programs.cost(of: batch.description.program, variants: batch.description.variants.count)
    act(on: .batchOpened(id, priority: batch.description.priority, cost: cost))
    accept(batch)
    cutMore(batch)
  }

  func accept(_ batch: OpenBatch) {
    guard let client = batch.state.client else { return }
    let window = configuration.flowControl.rowWindow(
      batches: state.batches.count, variants: batch.description.variants.count)
    let accepted = MessageToClient.Accepted(
      batch: client.id.number, window: window, name: batch.isKept ? batch.name : "",
      storedRows: batch.isKept ? batch.state.storedRows : 0,
      isComplete: batch.isKept ? batch.state.isStored : batch.isComplete,
      description: batch.description, memory: client.channel?.offer ?? .none)
    emit(.sendToClient(.accepted(accepted), [], client.id.identity))
  }

  // MARK: Resuming

  /// A client comes, or comes back, for a kept batch.
  private func resume(_ attach: ClientMessage.Attach, _ id: ClientConnection.ID) {
    if let reason = refusal(ofVersion: attach.version) { return refuse(id, reason) }
    guard let batch = OpenBatch.id(attach.name).flatMap({ state.batches[$0] }), batch.isKept else {
      return refuse(id, "the coordinator keeps no batch \(attach.name)")
    }
    if case .failed(let reason) = batch.state.phase {
      refuse(id, reason)
      return close(batch.id)
    }
    // A batch whose journal is being created has accepted nobody yet.
    if case .creating = batch.state.phase { return }
    let isKnown = attach.session == batch.state.lastAttempt.session && attach.session != 0
    if isKnown && attach.attempt <= batch.state.lastAttempt.number { return }
    guard batch.state.results.restart(at: attach.firstRow) else {
      return refuse(id, "batch \(attach.name) has no results that begin at row \(attach.firstRow)")
    }
    if let earlier = batch.state.client, earlier.id != id {
      state.batchesByClient.removeValue(forKey: earlier.id)
      if !isKnown { refuse(earlier.id, "another client took over batch \(attach.name)") }
    }
    batch.state.lastAttempt = (attach.session, attach.attempt)
    batch.state.client = connection(id, memory: attach.memory, wantsResults: true)
    batch.state.unsent = []
    batch.state.abandonedAt = nil
    add(batch)
    accept(batch)
    sendResults(of: batch)
  }

  // MARK: Ending

  /// All rows of a batch are done.
  ///
  /// - Parameter cost: The nanoseconds that a byte of them took.
  func noteDone(_ id: BatchID, _ rows: UInt64, _ cost: Double?) {
    guard let batch = state.batches[id] else { return }
    let description = batch.description
    if let cost { state.programs.note(cost, of: description.program, variants: description.variants.count) }
    batch.state.phase = .done(rows: rows)
    if batch.isKept { return sendResults(of: batch) }
    sendEnd(of: batch)
    forget(batch)
  }

  func sendEnd(of batch: OpenBatch) {
    guard case .done(let rows) = batch.state.phase, let client = batch.state.client, !client.isEndSent,
      let input = batch.state.input
    else { return }
    flush(batch)
    batch.state.client?.isEndSent = true
    emit(.sendToClient(.done(batch: client.id.number, rows: rows, input: input), [], client.id.identity))
  }

  private func cancel(_ name: String, _ client: ClientConnection.ID) {
    guard let batch = OpenBatch.id(name).flatMap({ state.batches[$0] }) else {
      return refuse(client, "the coordinator has no batch \(name)")
    }
    if let owner = batch.state.client, owner.id != client { refuse(owner.id, "the batch was cancelled") }
    close(batch.id)
    emit(.sendToClient(.cancelled(batch: client.number), [], client.identity))
  }

  /// The client of a batch has disconnected. A kept batch continues without it; another ends.
  func loseClient(of batch: OpenBatch) {
    if let client = batch.state.client { state.batchesByClient.removeValue(forKey: client.id) }
    batch.state.lostClient = batch.state.client?.id
    batch.state.client = nil
    batch.state.unsent = []
    guard batch.isKept else { return close(batch.id) }
    if !batch.isComplete { batch.state.abandonedAt = now }
  }

  func cancelAbandonedBatches() {
    for batch in state.batches.values {
      guard let since = batch.state.abandonedAt, now > since + Self.abandonedTime else { continue }
      emit(
        .log(
          .warning,
          "batch \(batch.name) is cancelled: its client disconnected before it had sent all rows, and did not "
            + "come back"))
      close(batch.id)
    }
  }

  func close(_ id: BatchID) {
    guard let batch = state.batches[id] else { return }
    forget(batch)
    act(on: .batchCancelled(id))
  }

  private func forget(_ batch: OpenBatch) {
    state.batches.removeValue(forKey: batch.id)
    batch.state.unsent = []
    if let client = batch.state.client { state.batchesByClient.removeValue(forKey: client.id) }
    let hasTrimmed = state.programs.trim(used: Set(state.batches.values.map(\.description.program)))
    guard batch.isKept else { return }
    emit(.removeJournal(batch.id))
    if hasTrimmed { emit(.removePrograms(except: state.programs.ids)) }
  }

  /// Ends a batch that cannot continue. If its client is not there, it learns the reason when it comes back.
  func fail(_ id: BatchID, _ reason: String) {
    guard let batch = state.batches[id] else { return }
    if case .failed = batch.state.phase { return }
    emit(.log(.warning, "batch \(batch.name) failed: \(reason)"))
    if let client = batch.state.client {
      refuse(client.id, reason)
      return close(id)
    }
    guard batch.isKept else { return close(id) }
    batch.state.phase = .failed(reason: reason)
    emit(.removeJournal(id))
    act(on: .batchCancelled(id))
  }

  func failBatches(_ reason: String) {
    for batch in state.batches.keys.sorted() { fail(batch, reason) }
  }

  private func refuse(_ client: ClientConnection.ID, _ reason: String) {
    emit(.sendToClient(.failed(batch: client.number, reason: reason), [], client.identity))
  }
}
