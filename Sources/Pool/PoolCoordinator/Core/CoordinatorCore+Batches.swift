import Buffers
import Hashing
import PoolMemory
import PoolProtocol
import PoolScheduler

/// Batches that clients open, resume and end.
extension CoordinatorCore {
  /// Nanoseconds that the rows of a kept batch may be incomplete without a client to send the rest.
  static let abandonedTime: UInt64 = 600_000_000_000
  /// The number of clients that may be sending programs at a time.
  private static let maxUploads = 64

  func receive(_ message: ClientMessage, _ parts: [OwnedBytes], from identity: PeerIdentity, _ holder: KeyHolder) {
    func client(_ number: UInt64) -> ClientConnection.ID { .init(identity: identity, holder: holder, number: number) }
    guard holder.maySubmit else { return refuse(message, client(message.batch), holder) }
    switch message {
    case .submit(let submit): receive(submit, client(submit.batch))
    case .program(let number, let offset, let size): addProgram(parts.first, offset, size, client(number))
    case .attach(let attach): resume(attach, client(attach.batch))
    case .chunk(let chunk):
      // Rows that come before the program come again.
      if state.uploads[client(chunk.batch)] != nil { return }
      guard batch(of: client(chunk.batch)) != nil else { return refuseUnknown(client(chunk.batch)) }
      add(chunk, parts, client(chunk.batch))
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

  /// Every worker can see whether the coordinator runs, and nothing else.
  private func refuse(_ message: ClientMessage, _ client: ClientConnection.ID, _ holder: KeyHolder) {
    switch message {
    case .status: sendStatus(to: client.identity, holder)
    case .submit, .attach, .cancelNamed, .cancelAll, .listBatches:
      refuse(client, "\(holder.name) is the key of a \(holder.role.rawValue), which may not use batches")
    case .chunk, .program, .acknowledge, .complete, .cancel: break
    }
  }

  func batch(of client: ClientConnection.ID) -> OpenBatch? {
    state.batchesByClient[client].flatMap { state.batches[$0] }
  }

  /// Returns a batch that a peer may use. Whether the batches of others exist is not shown.
  private func batch(named name: String, for holder: KeyHolder) -> OpenBatch? {
    guard let batch = BatchName.id(name).flatMap({ state.batches[$0] }) else { return nil }
    return holder.mayUse(batchOf: batch.description.owner) ? batch : nil
  }

  private static func restriction(of holder: KeyHolder) -> String {
    holder.role == .client ? " that was submitted with the key \(holder.name)" : ""
  }

  /// Returns the batch of a client that may already count as disconnected. A client that has sent its last message
  /// disconnects, and libzmq reports that before the message is received.
  private func batch(ofLast client: ClientConnection.ID) -> OpenBatch? {
    batch(of: client)
      ?? state.batches.values.first { $0.state.client == nil && $0.state.lostClient == client }
  }

  // MARK: Opening

  /// A client that hears nothing submits its batch again, perhaps on another connection.
  private func receive(_ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    if let reason = refusal(of: submit) { return refuse(client, reason) }
    if let known = batch(ofSession: submit.session), client.holder.mayUse(batchOf: known.description.owner) {
      if case .creating = known.state.phase, known.state.client?.id == client { return }
      if known.state.client?.id == client { return accept(known) }
      guard known.isKept else {
        close(known.id)
        return create(submit, client)
      }
      return resume(
        known,
        ClientMessage.Attach(
          version: submit.version, batch: submit.batch, name: known.name, firstRow: 0, memory: submit.memory,
          session: submit.session, attempt: known.state.lastAttempt.number, sendsRows: true), client,
        wantsResults: !submit.isDetached)
    }
    create(submit, client)
  }

  private func batch(ofSession session: UInt64) -> OpenBatch? {
    session == 0 ? nil : state.batches.values.first { $0.state.lastAttempt.session == session }
  }

  private func create(_ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    if let reason = spoolRefusal(of: submit.description) { return refuse(client, reason) }
    let program = submit.description.program
    guard let bytes = state.programs[program] else { return ask(for: program, submit, client) }
    // Parts of the program may still come that the client sent before another had sent all of it.
    state.uploads = state.uploads.filter { $0.key != client && $0.value.submit.session != submit.session }
    state.fleet.tryAgain()
    // Numbers of batches grow with the time, also over restarts.
    state.lastBatch = max(state.lastBatch + 1, state.time.sinceEpoch)
    var description = submit.description
    (description.session, description.owner) = (submit.session, client.holder.name)
    let batch = OpenBatch(
      state.lastBatch, description, isKept: configuration.keepsBatches, isHeldInMemory: !submit.isDetached,
      phase: .creating)
    batch.state.lastAttempt = (submit.session, 0)
    batch.state.client = connection(
      client, memory: submit.memory, submit.origin, wantsResults: !submit.isDetached)
    add(batch)
    if batch.isKept {
      emit(.createJournal(batch.id, batch.description, program: state.programs.isGiven(program) ? nil : bytes))
    } else {
      open(batch.id)
    }
  }

  /// Asks for the program of a batch, or for what of it has not come.
  private func ask(for program: ProgramID, _ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    // What came on another connection of the client is kept.
    let earlier = state.uploads.first { $0.value.submit.session == submit.session && submit.session != 0 }
    if let earlier { state.uploads.removeValue(forKey: earlier.key) }
    if earlier == nil && state.uploads.count >= Self.maxUploads {
      return refuse(client, "\(Self.maxUploads) other clients send programs at present; try again later")
    }
    var upload = ProgramUpload(submit: submit, assembly: earlier?.value.assembly ?? ProgramAssembly(program))
    let request = upload.assembly.request()
    state.uploads[client] = upload
    emit(.sendToClient(.programWanted(batch: client.number, request), [], client.identity))
  }

  private func addProgram(_ part: OwnedBytes?, _ offset: UInt64, _ size: UInt64, _ client: ClientConnection.ID) {
    guard let part, var upload = state.uploads.removeValue(forKey: client) else { return }
    // Another client may have sent the same program meanwhile.
    if state.programs[upload.assembly.id] != nil { return create(upload.submit, client) }
    switch upload.assembly.add(part, at: offset, ofSize: size) {
    case .wait: state.uploads[client] = upload
    case .ask(let request):
      state.uploads[client] = upload
      emit(.sendToClient(.programWanted(batch: client.number, request), [], client.identity))
    case .complete(let bytes):
      guard bytes.withBytes({ SHA256.hash($0) }) == upload.assembly.id else {
        return refuse(client, "the program is not what its hash says")
      }
      state.programs.add(bytes, upload.assembly.id)
      create(upload.submit, client)
    case .refuse:
      refuse(
        client, "the cells file and its fonts have \(size) bytes, more than \(ProtocolLimits.programBytes), the limit")
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
    _ id: ClientConnection.ID, memory: MemoryReference, _ origin: PeerOrigin, wantsResults: Bool
  ) -> ClientConnection {
    state.lastFetch += 1
    return ClientConnection(
      id: id, origin: origin, channel: CoordinatorMemoryChannel(memory, self.memory), wantsResults: wantsResults,
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
    writeNext(batch)
    cutMore(batch)
  }

  func accept(_ batch: OpenBatch) {
    guard let client = batch.state.client else { return }
    let window = configuration.flowControl.rowWindow(
      batches: state.batches.count, variants: batch.description.variants.count)
    batch.state.window.open(window)
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
    guard let batch = batch(named: attach.name, for: id.holder), batch.isKept else {
      let unreadable = BatchName.id(attach.name).flatMap { state.unreadable[$0] }
      if let unreadable, id.holder.mayUse(batchOf: "") {
        return refuse(id, "batch \(attach.name) cannot be fetched: its journal \(unreadable.reason)")
      }
      return refuse(id, "the coordinator keeps no batch \(attach.name)\(Self.restriction(of: id.holder))")
    }
    let isLate = attach.session == batch.state.lastAttempt.session && attach.attempt <= batch.state.lastAttempt.number
    if isLate && attach.session != 0 { return }
    resume(batch, attach, id, wantsResults: true)
  }

  private func resume(
    _ batch: OpenBatch, _ attach: ClientMessage.Attach, _ id: ClientConnection.ID, wantsResults: Bool
  ) {
    if case .failed(let reason) = batch.state.phase {
      refuse(id, reason)
      return close(batch.id)
    }
    // A batch whose journal is being created has accepted nobody yet.
    if case .creating = batch.state.phase { return }
    let isKnown = attach.session == batch.state.lastAttempt.session && attach.session != 0
    guard !attach.sendsRows || batch.state.input != .unknown else {
      return refuse(id, "batch \(attach.name) has ended without its last rows, because its journal is damaged")
    }
    guard batch.state.results.restart(at: attach.firstRow) else {
      return refuse(id, "batch \(attach.name) has no results that begin at row \(attach.firstRow)")
    }
    if let earlier = batch.state.client, earlier.id != id {
      state.batchesByClient.removeValue(forKey: earlier.id)
      if !isKnown { refuse(earlier.id, "another client took over batch \(attach.name)") }
    }
    batch.state.lastAttempt = (attach.session, attach.attempt)
    batch.state.client = connection(id, memory: attach.memory, attach.origin, wantsResults: wantsResults)
    batch.state.unsent = []
    // Only a client that has the rows can send the rest of them.
    if attach.sendsRows { batch.state.givenUpAt = nil }
    batch.state.expiresAt = nil
    add(batch)
    accept(batch)
    sayWhatIsMissing(batch)
    sendResults(of: batch)
  }

  /// A client that fetches a batch may have to wait for another one, which has the rest of the rows.
  private func sayWhatIsMissing(_ batch: OpenBatch) {
    guard let time = batch.state.givenUpAt, let client = batch.state.client else { return }
    let seconds = time > now ? (time - now) / 1_000_000_000 : 0
    let reason =
      "the client that has the rest of its rows is not connected\(batch.state.isDoubtful ? ", and its journal is damaged" : "")"
      + "; the batch ends without them in \(seconds) s"
    emit(.sendToClient(.waiting(batch: client.id.number, reason: reason), [], client.id.identity))
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
    if batch.isKept {
      beginKeepTime(of: batch)
      return sendResults(of: batch)
    }
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
    let batch = batch(named: name, for: client.holder)
    let id = BatchName.id(name)
    let isUnreadable = client.holder.mayUse(batchOf: "") && id.map { state.unreadable[$0] != nil } == true
    guard batch != nil || isUnreadable else {
      return refuse(client, "the coordinator has no batch \(name)\(Self.restriction(of: client.holder))")
    }
    if isUnreadable, let id {
      state.unreadable.removeValue(forKey: id)
      emit(.removeJournal(id))
    }
    if let batch { cancel(batch, for: client) }
    emit(.sendToClient(.cancelled(batch: client.number, count: 1), [], client.identity))
  }

  /// Ends all batches that the client may use. Journals that this version cannot read are left: each is cancelled by its
  /// name.
  private func cancelAll(_ client: ClientConnection.ID) {
    let batches = state.batches.values.filter { client.holder.mayUse(batchOf: $0.description.owner) }
      .sorted { $0.id < $1.id }
    for batch in batches { cancel(batch, for: client) }
    emit(.sendToClient(.cancelled(batch: client.number, count: UInt64(batches.count)), [], client.identity))
  }

  private func cancel(_ batch: OpenBatch, for client: ClientConnection.ID) {
    if let owner = batch.state.client, owner.id != client { refuse(owner.id, "the batch was cancelled") }
    // Whoever cancels a batch does not want what is left of it.
    batch.state.isDamaged = false
    close(batch.id)
  }

  /// The client of a batch has disconnected. A kept batch continues without it; another ends.
  func loseClient(of batch: OpenBatch) {
    if let client = batch.state.client { state.batchesByClient.removeValue(forKey: client.id) }
    batch.state.lostClient = batch.state.client?.id
    batch.state.client = nil
    batch.state.unsent = []
    guard batch.isKept else { return close(batch.id) }
    if !batch.isComplete && batch.state.givenUpAt == nil { batch.state.givenUpAt = now + Self.abandonedTime }
    beginKeepTime(of: batch)
  }

  /// Ends batches whose clients have not come back to send the rest of the rows.
  func giveUpAbandonedBatches() {
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) {
      guard let time = batch.state.givenUpAt, now > time else { continue }
      if batch.state.isDoubtful {
        endWithLoss(batch)
        continue
      }
      let reason = "its client disconnected before it had sent all rows, and did not come back"
      emit(.log(.warning, "batch \(batch.name) is cancelled: \(reason)"))
      if let client = batch.state.client { refuse(client.id, "the batch is cancelled: \(reason)") }
      close(id)
    }
  }

  func close(_ id: BatchID) {
    guard let batch = state.batches[id] else { return }
    forget(batch)
    act(on: .batchCancelled(id))
  }

  private func forget(_ batch: OpenBatch) {
    state.batches.removeValue(forKey: batch.id)
    noteEndOfPause(batch)
    batch.state.unsent = []
    if let client = batch.state.client { state.batchesByClient.removeValue(forKey: client.id) }
    let hasTrimmed = state.programs.trim(used: Set(state.batches.values.map(\.description.program)))
    guard batch.isKept else { return }
    if case .failed = batch.state.phase {} else { discardJournal(of: batch) }
    if hasTrimmed { removeUnusedPrograms(except: state.programs.ids) }
  }

  private func discardJournal(of batch: OpenBatch) {
    if batch.state.isDamaged {
      setAside(batch.id, bytes: batch.state.journalBytes)
    } else {
      emit(.removeJournal(batch.id))
    }
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
    noteEndOfPause(batch)
    discardJournal(of: batch)
    (batch.state.phase, batch.state.journalBytes) = (.failed(reason: reason), 0)
    beginKeepTime(of: batch)
    act(on: .batchCancelled(id))
  }

  func failBatches(_ reason: String) {
    for batch in state.batches.keys.sorted() { fail(batch, reason) }
  }

  private func refuseUnknown(_ client: ClientConnection.ID) {
    emit(.sendToClient(.unknown(batch: client.number), [], client.identity))
  }

  private func refuse(_ client: ClientConnection.ID, _ reason: String) {
    emit(.sendToClient(.failed(batch: client.number, reason: reason), [], client.identity))
  }
}
