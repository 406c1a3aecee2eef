import PoolProtocol
import PoolScheduler

/// Batches that end: they are done, are cancelled, expire, or fail.
extension CoordinatorCore {
  /// All rows of a batch are done.
  ///
  /// - Parameter cost: The nanoseconds that a byte of them took.
  mutating func noteDone(_ id: BatchID, _ rows: UInt64, _ cost: Double?) {
    guard let batch = state.batches[id] else { return }
    let description = batch.description
    if let cost { state.programs.note(cost, of: description.program, variants: description.variants.count) }
    count(batch, \.batchesDone)
    guard enter(.done(rows: rows), batch) else { return }
    if batch.isKept {
      beginKeepTime(of: batch)
      return sendResults(of: batch)
    }
    sendEnd(of: batch)
    forget(batch)
  }

  /// Changes the phase of a batch. An illegal change is logged as an error and returns false.
  mutating func enter(_ phase: OpenBatch.Phase, _ batch: OpenBatch) -> Bool {
    guard let reason = batch.enter(phase) else { return true }
    assertionFailure(reason)
    log(.error, "the change is ignored: \(reason)")
    return false
  }

  mutating func sendEnd(of batch: OpenBatch) {
    guard case .done(let rows) = batch.phase, let client = batch.client.connection, !client.isEndSent,
      let input = batch.rows.input
    else { return }
    flush(batch)
    send(.done(batch: client.id.number, rows: rows, input: input), toClient: client.id.identity)
    if let time = batch.client.noteEndSent(at: now) { state.metrics.batchTime.record(time) }
  }

  mutating func cancel(_ name: String, _ client: ClientConnection.ID) {
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
    send(.cancelled(batch: client.number, count: 1), toClient: client.identity)
  }

  /// Ends all batches that the client may use. Batches with journals that this version cannot read are cancelled by their names
  /// only.
  mutating func cancelAll(_ client: ClientConnection.ID) {
    let batches = state.batches.values.filter { client.holder.mayUse(batchOf: $0.description.owner) }
      .sorted { $0.id < $1.id }
    for batch in batches { cancel(batch, for: client) }
    send(.cancelled(batch: client.number, count: UInt64(batches.count)), toClient: client.identity)
  }

  private mutating func cancel(_ batch: OpenBatch, for client: ClientConnection.ID) {
    if let owner = batch.client.connection, owner.id != client { refuse(owner.id, "the batch was cancelled") }
    // Nothing of a cancelled batch is kept.
    batch.journal.forgetDamage()
    close(batch.id)
  }

  /// The client of a batch has disconnected. A kept batch continues without it; another ends.
  mutating func loseClient(of batch: OpenBatch) {
    if let client = batch.client.connection { state.batchesByClient.removeValue(forKey: client.id) }
    batch.client.disconnect()
    batch.results.dropUnsent()
    guard batch.isKept else { return close(batch.id) }
    if !batch.isComplete { batch.client.expectRows(until: now + Self.abandonedTime) }
    batch.journal.noteUse()
    beginKeepTime(of: batch)
  }

  /// Ends batches whose clients have not connected again to send the rest of the rows.
  mutating func giveUpAbandonedBatches() {
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) {
      guard let time = batch.client.givenUpAt, now > time else { continue }
      if batch.journal.isDoubtful {
        endWithLoss(batch)
        continue
      }
      let reason = "its client disconnected before it had sent all rows, and has not connected again"
      log(.warning, "batch \(batch.name) is cancelled: \(reason)")
      if let client = batch.client.connection { refuse(client.id, "the batch is cancelled: \(reason)") }
      close(id)
    }
  }

  mutating func close(_ id: BatchID) {
    guard let batch = state.batches[id] else { return }
    count(batch, \.batchesCancelled)
    remove(batch)
  }

  private mutating func remove(_ batch: OpenBatch) {
    forget(batch)
    act(on: .batchCancelled(batch.id))
  }

  /// Counts how a batch ends, unless it has ended before.
  private mutating func count(_ batch: OpenBatch, _ counter: WritableKeyPath<PoolMetrics, UInt64>) {
    if batch.isOpen { state.metrics[keyPath: counter] += 1 }
  }

  private mutating func forget(_ batch: OpenBatch) {
    state.batches.removeValue(forKey: batch.id)
    noteEndOfPause(batch)
    batch.results.dropUnsent()
    if let client = batch.client.connection { state.batchesByClient.removeValue(forKey: client.id) }
    let hasTrimmed = state.programs.trim(used: usedPrograms)
    guard batch.isKept else { return }
    if case .failed = batch.phase {} else { discardJournal(of: batch) }
    if hasTrimmed { removeUnusedPrograms(except: state.programs.ids) }
  }

  private mutating func discardJournal(of batch: OpenBatch) {
    if batch.journal.isDamaged {
      setAside(batch.id, bytes: batch.journal.bytes)
    } else {
      emit(.removeJournal(batch.id))
    }
  }

  /// Ends a batch that cannot continue. A client that is not connected receives the reason when it connects again.
  mutating func fail(_ id: BatchID, _ reason: String) {
    guard let batch = state.batches[id] else { return }
    if case .failed = batch.phase { return }
    log(.warning, "batch \(batch.name) failed: \(reason)")
    count(batch, \.batchesFailed)
    if let client = batch.client.connection {
      refuse(client.id, reason)
      return remove(batch)
    }
    guard batch.isKept else { return remove(batch) }
    noteEndOfPause(batch)
    guard enter(.failed(reason: reason), batch) else { return }
    discardJournal(of: batch)
    batch.journal.noteRemoved()
    beginKeepTime(of: batch)
    act(on: .batchCancelled(id))
  }

  /// Ends all batches that are not done.
  mutating func failOpenBatches(_ reason: String) {
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) where batch.isOpen { fail(id, reason) }
  }

  mutating func refuseUnknown(_ client: ClientConnection.ID) {
    send(.unknown(batch: client.number), toClient: client.identity)
  }

  mutating func refuse(_ client: ClientConnection.ID, _ reason: String) {
    send(.failed(batch: client.number, reason: reason), toClient: client.identity)
  }
}
