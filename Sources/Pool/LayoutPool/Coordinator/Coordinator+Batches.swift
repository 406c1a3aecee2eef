import BatchLayout
import PoolMessages
import ZeroMQ

/// The side of the clients: batches that are opened, filled, taken and ended.
extension Coordinator {
  /// Nanoseconds that the rows of a kept batch may be incomplete without a client to send the rest.
  private static let grace: UInt64 = 600_000_000_000

  func receive(_ message: PoolFromClient, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    switch message.message {
    case .submit(let submit)?: try open(submit, bulk, .init(identity: identity, number: submit.batch))
    case .attach(let attach)?: try resume(attach, .init(identity: identity, number: attach.batch))
    case .chunk(let chunk)?: try add(chunk, bulk, .init(identity: identity, number: chunk.batch))
    case .taken(let taken)?: try note(taken, .init(identity: identity, number: taken.batch))
    case .cancel(let cancel)?: try cancelBatch(cancel, .init(identity: identity, number: cancel.batch))
    case .status?: try sendStatus(to: identity)
    case nil: break
    }
  }

  func batch(of client: OpenBatch.Client) -> OpenBatch? { batchesByClient[client].flatMap { batches[$0] } }

  // MARK: Opening

  private func open(
    _ submit: PoolFromClient.Submit, _ bulk: [Frame], _ client: OpenBatch.Client
  ) throws(ZeroMQError) {
    if let reason = refusal(of: submit) { return try refuse(client, reason) }
    let id = [UInt8](submit.program)
    if let program = bulk.first, programs[id] == nil {
      guard SHA256.hash(program.bytes) == id else { return try refuse(client, "the program is not what its hash says") }
      programs.add(program, id)
    }
    guard let program = programs[id] else {
      var reply = PoolToClient()
      reply.programWanted.batch = client.number
      _ = try send(reply, [], to: client.identity)
      return
    }
    fleet?.tryAgain()
    // Names of batches grow with the time, also over restarts.
    lastBatch = max(lastBatch + 1, Clock.sinceEpoch())
    let journal: BatchJournal?
    do throws(JournalError) { journal = try keep(submit, lastBatch, program) } catch {
      return try refuse(client, error.description)
    }
    let batch = OpenBatch(
      id: lastBatch, programID: id, variants: submit.variants, priority: submit.priority,
      input: submit.input, client: client, journal: journal, resendsRows: submit.resendsRows)
    (batch.sendsResults, batch.isHeldInMemory) = (!submit.detached, !submit.detached)
    batch.session = submit.session
    batch.lane = CoordinatorLane(submit.memory)
    add(batch)
    let cost = programs.cost(of: id, variants: batch.variants.count)
    try act(on: .batchOpened(batch.id, priority: batch.priority, cost: cost))
    try accept(batch)
  }

  private func refusal(of submit: PoolFromClient.Submit) -> String? {
    if let reason = refusal(ofVersion: submit.version) { return reason }
    if isDraining { return "the coordinator is about to stop and takes no new batches" }
    if submit.detached && spool == nil {
      return "the coordinator keeps no batches, so none can be detached; start it with --spool"
    }
    guard !submit.variants.isEmpty, submit.variants.count <= Variant.limit,
      submit.variants.allSatisfy({ $0.variant.isValid })
    else { return "the batch has no sensible variants" }
    return nil
  }

  private func refusal(ofVersion version: String) -> String? {
    version == Version.current ? nil : "this coordinator is version \(Version.current), the client \(version)"
  }

  private func keep(
    _ submit: PoolFromClient.Submit, _ id: BatchID, _ program: Frame
  ) throws(JournalError) -> BatchJournal? {
    guard let spool else { return nil }
    let programID = [UInt8](submit.program)
    if programs.needsKeeping(programID) { try spool.keep(program, programID) }
    var record = PoolJournalRecord.Batch()
    record.version = Version.current
    record.program = submit.program
    record.variants = submit.variants
    record.priority = submit.priority
    record.input = submit.input
    record.resendsRows = submit.resendsRows
    return try BatchJournal(creating: spool.journalPath(of: OpenBatch.name(id)), record)
  }

  func add(_ batch: OpenBatch) {
    batches[batch.id] = batch
    if let client = batch.client { batchesByClient[client] = batch.id }
  }

  func accept(_ batch: OpenBatch) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.accepted.batch = batch.client?.number ?? 0
    reply.accepted.window = UInt64(max(window / batch.variants.count, RowsFeed.chunkBytes / 8))
    reply.accepted.name = batch.journal == nil ? "" : batch.name
    reply.accepted.storedRows = batch.journal == nil ? 0 : batch.nextRow
    reply.accepted.isComplete = batch.isComplete
    reply.accepted.program = .init(batch.programID)
    reply.accepted.variants = batch.variants
    reply.accepted.input = batch.input
    if let memory = batch.lane?.offer { reply.accepted.memory = memory }
    _ = try tell(batch, reply)
  }

  /// A client comes, or comes back, for a batch that is kept.
  private func resume(_ attach: PoolFromClient.Attach, _ client: OpenBatch.Client) throws(ZeroMQError) {
    if let reason = refusal(ofVersion: attach.version) { return try refuse(client, reason) }
    guard let batch = OpenBatch.id(attach.name).flatMap({ batches[$0] }), batch.journal != nil else {
      return try refuse(client, "the coordinator keeps no batch \(attach.name)")
    }
    if let failure = batch.failure {
      try refuse(client, failure)
      return try close(batch.id)
    }
    let isKnown = attach.session == batch.session && batch.session != 0
    if isKnown && attach.attempt <= batch.attempt { return }
    guard batch.outbox.restart(at: attach.firstRow) else {
      return try refuse(client, "batch \(attach.name) has no results that begin at row \(attach.firstRow)")
    }
    if let earlier = batch.client, earlier != client {
      batchesByClient.removeValue(forKey: earlier)
      if !isKnown { try refuse(earlier, "another client took over batch \(attach.name)") }
    }
    (batch.session, batch.attempt) = (attach.session, attach.attempt)
    batch.client = client
    batch.untold = []
    batch.lane = CoordinatorLane(attach.memory)
    batch.sendsResults = true
    batch.isEndTold = false
    batch.abandonedAt = nil
    add(batch)
    try accept(batch)
    try pump(batch)
  }

  // MARK: Ending

  /// All rows are done and, if the batch is not kept, on their way.
  ///
  /// - Parameter cost: what a byte of them took, in nanoseconds.
  func end(_ id: BatchID, _ rows: UInt64, _ cost: Double?) throws(ZeroMQError) {
    guard let batch = batches[id] else { return }
    if let cost { programs.note(cost, of: batch.programID, variants: batch.variants.count) }
    batch.doneRows = rows
    if batch.journal != nil { return try pump(batch) }
    try tellEnd(batch)
    forget(batch)
  }

  func tellEnd(_ batch: OpenBatch) throws(ZeroMQError) {
    guard let rows = batch.doneRows, !batch.isEndTold else { return }
    try tellResults(batch)
    batch.isEndTold = true
    var reply = PoolToClient()
    reply.done.batch = batch.client?.number ?? 0
    reply.done.rows = rows
    reply.done.inputBytes = batch.inputBytes
    reply.done.inputHash = batch.inputHash
    _ = try tell(batch, reply)
  }

  private func cancelBatch(_ cancel: PoolFromClient.Cancel, _ client: OpenBatch.Client) throws(ZeroMQError) {
    if cancel.name.isEmpty {
      if let batch = batch(of: client) { try close(batch.id) }
      return
    }
    guard let batch = OpenBatch.id(cancel.name).flatMap({ batches[$0] }) else {
      return try refuse(client, "the coordinator has no batch \(cancel.name)")
    }
    if let owner = batch.client, owner != client { try refuse(owner, "the batch was cancelled") }
    try close(batch.id)
    var reply = PoolToClient()
    reply.cancelled.batch = client.number
    _ = try send(reply, [], to: client.identity)
  }

  /// A batch's client is gone. What is kept goes on without it.
  func lose(_ batch: OpenBatch) throws(ZeroMQError) {
    if let client = batch.client { batchesByClient.removeValue(forKey: client) }
    (batch.client, batch.lane, batch.untold) = (nil, nil, [])
    if batch.journal == nil { return try close(batch.id) }
    if !batch.isComplete { batch.abandonedAt = Clock.monotonic() }
  }

  func cancelAbandonedBatches(_ now: UInt64) throws(ZeroMQError) {
    for batch in batches.values {
      guard let since = batch.abandonedAt, now > since + Self.grace else { continue }
      log.warning("batch \(batch.name) is cancelled: its client went before all rows had come, and did not come back")
      try close(batch.id)
    }
  }

  func close(_ id: BatchID) throws(ZeroMQError) {
    guard let batch = batches[id] else { return }
    forget(batch)
    try act(on: .batchCancelled(id))
  }

  private func forget(_ batch: OpenBatch) {
    batches.removeValue(forKey: batch.id)
    batch.untold = []
    if let client = batch.client { batchesByClient.removeValue(forKey: client) }
    let forgotten = programs.trim(used: Set(batches.values.map(\.programID)))
    guard batch.journal != nil, let spool else { return }
    spool.remove(batch.name)
    if forgotten { spool.removePrograms(except: programs.ids) }
  }

  /// Ends a batch that cannot go on. If its client is not there, it is told when it comes.
  func fail(_ id: BatchID, _ reason: String) throws(ZeroMQError) {
    guard let batch = batches[id] else { return }
    log.warning("batch \(batch.name) failed: \(reason)")
    if let client = batch.client {
      try refuse(client, reason)
      return try close(id)
    }
    batch.failure = reason
    spool?.remove(batch.name)
    try act(on: .batchCancelled(id))
  }

  func failBatches(_ reason: String) throws(ZeroMQError) {
    for batch in batches.keys { try fail(batch, reason) }
  }

  private func refuse(_ client: OpenBatch.Client, _ reason: String) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.failed.batch = client.number
    reply.failed.reason = reason
    _ = try send(reply, [], to: client.identity)
  }
}
