import Buffers
import Hashing
import PoolMemory
import PoolProtocol
import PoolScheduler

/// Batches that clients open, and the programs that come with them.
extension CoordinatorCore {
  /// The number of clients that may be sending programs at a time.
  static let maxUploads = 64
  static let isStopping = "the coordinator is about to stop and takes no new batches"

  /// A client that receives no message submits its batch again, possibly on another connection.
  mutating func receive(_ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    if let reason = refusal(of: submit) { return refuse(client, reason) }
    if let known = batch(ofSession: submit.session), client.holder.mayUse(batchOf: known.description.owner) {
      if case .creating = known.phase, known.client.connection?.id == client { return }
      if known.client.connection?.id == client { return accept(known) }
      guard known.isKept else {
        close(known.id)
        return create(submit, client)
      }
      return resume(
        known,
        ClientMessage.Attach(
          version: submit.version, batch: submit.batch, name: known.name, firstRow: 0, memory: submit.memory,
          session: submit.session, attempt: known.client.lastAttempt.number, sendsRows: true), client,
        wantsResults: !submit.isDetached)
    }
    create(submit, client)
  }

  private func batch(ofSession session: UInt64) -> OpenBatch? {
    session == 0 ? nil : state.batches.values.first { $0.client.lastAttempt.session == session }
  }

  mutating func create(_ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    if let reason = spoolRefusal(of: submit.description) ?? keyRefusal(of: client.holder.name) {
      removeProgram(of: submit.description)
      return refuse(client, reason)
    }
    let program = submit.description.program
    guard state.programs.contains(program) else { return ask(for: program, submit, client) }
    // Another client may have sent the whole program. Parts from this client that are under way are then ignored.
    if !state.uploads.isEmpty {
      state.uploads = state.uploads.filter { $0.key != client && $0.value.submit.session != submit.session }
    }
    state.fleet.tryAgain()
    // Batch numbers follow the clock, so that they also increase over restarts.
    state.lastBatch = max(state.lastBatch + 1, state.time.sinceEpoch)
    var description = submit.description
    (description.session, description.owner) = (submit.session, client.holder.name)
    let batch = OpenBatch(
      state.lastBatch, description, submittedAt: now, isKept: configuration.keepsBatches,
      isHeldInMemory: !submit.isDetached, phase: .creating)
    batch.client.submit(
      connection(client, memory: submit.memory, submit.origin, wantsResults: !submit.isDetached), at: now)
    state.metrics.batchesAccepted += 1
    add(batch)
    // The workers of a program that is given are starting meanwhile.
    if state.programs.isGiven(program) { _ = state.programs.share(program, memory) }
    if batch.isKept {
      let stored = state.programs.isGiven(program) ? nil : state.programs.bytes(of: program)
      emit(.createJournal(batch.id, batch.description, program: stored))
    } else {
      open(batch.id)
    }
  }

  /// Requests the parts of a batch's program that were not received.
  private mutating func ask(for program: ProgramID, _ submit: ClientMessage.Submit, _ client: ClientConnection.ID) {
    // Parts that were received on another connection of the client are kept.
    let earlier = state.uploads.first { $0.value.submit.session == submit.session && submit.session != 0 }
    if let earlier { state.uploads.removeValue(forKey: earlier.key) }
    if earlier == nil && state.uploads.count >= Self.maxUploads {
      return refuse(client, "\(Self.maxUploads) other clients send programs at present; try again later")
    }
    var upload = (submit: submit, assembly: earlier?.value.assembly ?? ProgramAssembly(program))
    let request = upload.assembly.request()
    state.uploads[client] = upload
    send(.programWanted(batch: client.number, request), toClient: client.identity)
  }

  mutating func addProgram(_ part: OwnedBytes?, _ offset: UInt64, _ size: UInt64, _ client: ClientConnection.ID) {
    guard let part, var upload = state.uploads.removeValue(forKey: client) else { return }
    // Another client may have sent the same program in the meantime.
    if state.programs.contains(upload.assembly.id) { return create(upload.submit, client) }
    guard state.uploads.values.reduce(part.count, { $0 + $1.assembly.received }) <= ProtocolLimits.uploadBytes else {
      return refuse(client, "other clients send large programs at present; try again later")
    }
    switch upload.assembly.add(part, at: offset, ofSize: size) {
    case .wait: state.uploads[client] = upload
    case .ask(let request):
      state.uploads[client] = upload
      send(.programWanted(batch: client.number, request), toClient: client.identity)
    case .complete(let bytes):
      guard bytes.withBytes({ SHA256.hash($0) }) == upload.assembly.id else {
        return refuse(client, "the hash of the program differs from the one that was announced")
      }
      guard hasRoom(forProgramWith: bytes.count) else {
        return refuse(
          client,
          "the programs of all batches have \(state.programs.bytes >> 20) MiB, and may have "
            + "\(ProtocolLimits.programBytesOfAll >> 20); try again when batches have ended")
      }
      state.programs.add(bytes, upload.assembly.id)
      create(upload.submit, client)
    case .refuse:
      refuse(
        client, "the cells file and its fonts have \(size) bytes, more than \(ProtocolLimits.programBytes), the limit")
    }
  }

  /// Removes unused programs if the limit of the spool requires it.
  private mutating func hasRoom(forProgramWith bytes: Int) -> Bool {
    let limit = ProtocolLimits.programBytesOfAll - bytes
    guard state.programs.bytes > limit else { return true }
    let used = usedPrograms
    let hasTrimmed = state.programs.trim(used: used, keeping: 0)
    if hasTrimmed && configuration.keepsBatches { removeUnusedPrograms(except: used) }
    return state.programs.bytes <= limit
  }

  private func refusal(of submit: ClientMessage.Submit) -> String? {
    if let reason = refusal(ofVersion: submit.version) { return reason }
    guard case .running = state.life else { return Self.isStopping }
    if submit.isDetached && !configuration.keepsBatches {
      return "the coordinator keeps no batches, so none can be detached; start it with --spool"
    }
    let variants = submit.description.variants
    guard !variants.isEmpty, variants.count <= ProtocolLimits.variants, variants.allSatisfy(\.isValid) else {
      return "the variants of the batch are malformed"
    }
    return nil
  }

  func refusal(ofVersion version: String) -> String? {
    version == Version.current ? nil : "this coordinator is version \(Version.current), the client \(version)"
  }

  mutating func connection(
    _ id: ClientConnection.ID, memory: MemoryReference, _ origin: PeerOrigin, wantsResults: Bool
  ) -> ClientConnection {
    state.lastFetch += 1
    return ClientConnection(
      id: id, origin: origin, channel: CoordinatorMemoryChannel(memory, self.memory), wantsResults: wantsResults,
      fetch: state.lastFetch)
  }

  mutating func add(_ batch: OpenBatch) {
    state.batches[batch.id] = batch
    if let client = batch.client.connection { state.batchesByClient[client.id] = batch.id }
  }

  /// The journal of a batch exists, or the batch needs none.
  mutating func open(_ id: BatchID) {
    guard let batch = state.batches[id], case .creating = batch.phase, enter(.open, batch) else { return }
    let cost = state.programs.cost(of: batch.description.program, variants: batch.description.variants.count)
    act(on: .batchOpened(id, priority: batch.description.priority, cost: cost, owner: batch.description.owner))
    accept(batch)
    writeNext(batch)
    cutMore(batch)
  }

  mutating func accept(_ batch: OpenBatch) {
    guard let client = batch.client.connection else { return }
    let window = configuration.flowControl.rowWindow(
      batches: state.batches.count, variants: batch.description.variants.count)
    batch.rows.openWindow(window)
    let accepted = MessageToClient.Accepted(
      batch: client.id.number, window: window, name: batch.isKept ? batch.name : "",
      storedRows: batch.isKept ? batch.rows.stored : 0,
      isComplete: batch.isKept ? batch.rows.isStored : batch.isComplete,
      description: batch.description, memory: client.channel?.offer ?? .none)
    send(.accepted(accepted), toClient: client.id.identity)
  }
}
