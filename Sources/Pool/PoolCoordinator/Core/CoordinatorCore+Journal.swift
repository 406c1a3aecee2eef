import Buffers
import PoolProtocol
import PoolScheduler

/// The journals of batches. At most one append and one read of a journal are in progress. While they fail for a temporary
/// reason, the batch pauses: none of its rows are cut into jobs, and no more rows are accepted.
extension CoordinatorCore {
  /// The largest number of waiting records at which rows are still cut into jobs.
  static let maxWaitingRecords = 64

  // MARK: Creating

  mutating func noteCreated(_ id: BatchID, bytes: Int) {
    state.failedCreation = JournalQueue()
    guard let batch = state.batches[id], batch.isOpen else { return emit(.removeJournal(id)) }
    state.programs.noteStored(batch.description.program)
    batch.journal.noteCreated(bytes: bytes)
    open(id)
  }

  /// Refuses a batch. The creation of its journal is retried until that or another journal is created.
  private mutating func noteFailedCreation(of id: BatchID, _ reason: String) {
    guard let batch = state.batches[id], batch.isOpen else {
      emit(.removeJournal(id))
      if state.failedCreation.contains(where: { $0.id == id }) { state.failedCreation.wait(reason, at: now) }
      return
    }
    if state.failedCreation.count == 0, configuration.waitsForSpool {
      state.failedCreation.add((id, batch.description))
      state.failedCreation.wait(reason, at: now)
    }
    fail(id, reason)
    removeProgram(of: batch.description)
  }

  /// Retries to create a journal, without the program, which may be large and is of no use without the batch.
  private mutating func retryCreation() {
    guard let (id, description) = state.failedCreation.next(at: now) else { return }
    state.failedCreation.noteBegin()
    emit(.createJournal(id, description, program: nil))
  }

  // MARK: Writing

  mutating func write(_ record: BatchJournal.Append, of batch: OpenBatch) {
    batch.journal.appends.add(record)
    writeNext(batch)
  }

  mutating func writeNext(_ batch: OpenBatch) {
    guard batch.hasJournal, let next = batch.journal.appends.next(at: now) else { return }
    if let (reason, canPass) = refusal(of: next, batch) {
      return canPass ? pause(batch, \.appends, reason) : fail(batch.id, reason)
    }
    batch.journal.appends.noteBegin()
    switch next {
    case .chunk(let chunk): emit(.append(batch.id, .chunk(chunk), synchronizes: chunk.isLast))
    case .result(let result):
      emit(.append(batch.id, .result(result.run(with: result.columns ?? [])), synchronizes: false))
    case .end(let end): emit(.append(batch.id, .end(end), synchronizes: true))
    }
  }

  mutating func noteAppended(_ id: BatchID, _ ranges: [JournalRange], _ bytes: Int) {
    guard let batch = state.batches[id], batch.hasJournal,
      let (append, endsPause) = batch.journal.finishAppend(bytes: bytes)
    else { return }
    switch append {
    case .chunk(let chunk):
      let stored = batch.isHeldInMemory ? nil : ranges.first
      addStored(chunk.moved(to: stored.map { .journal($0) } ?? .memory(chunk.lines)), to: batch)
    case .result(let result): noteStoredResult(result, ranges, in: batch)
    case .end(let end): noteStoredEnd(end, of: batch)
    }
    guard batch.hasJournal else { return }
    writeNext(batch)
    if endsPause { continueAfterPause(batch) }
    if !batch.rows.uncut.isEmpty { cutMore(batch) }
  }

  // MARK: Reading

  mutating func read(_ read: BatchJournal.Read, of batch: OpenBatch) {
    batch.journal.reads.add(read)
    readNext(batch)
  }

  private mutating func readNext(_ batch: OpenBatch) {
    guard batch.hasJournal, let next = batch.journal.reads.next(at: now) else { return }
    batch.journal.reads.noteBegin()
    switch next {
    case .chunk(let range): emit(.read(batch.id, [range]))
    case .results(let result, _): emit(.read(batch.id, result.stored ?? []))
    }
  }

  mutating func noteRead(_ id: BatchID, _ parts: [OwnedBytes]) {
    guard let batch = state.batches[id], batch.hasJournal, let (read, endsPause) = batch.journal.reads.finish() else {
      return
    }
    switch read {
    case .chunk: if let lines = parts.first, batch.rows.endReading(lines) { cutMore(batch) }
    case .results(let result, let fetch): noteRead(parts, of: result, fetch: fetch, in: batch)
    }
    guard batch.hasJournal else { return }
    readNext(batch)
    if endsPause { continueAfterPause(batch) }
  }

  // MARK: Failures

  mutating func noteFailure(of operation: JournalOperation, _ id: BatchID, _ reason: String, canPass: Bool) {
    if operation == .create { return noteFailedCreation(of: id, reason) }
    guard let batch = state.batches[id] else { return }
    guard canPass, configuration.waitsForSpool, batch.hasJournal else {
      // The journal of a batch that was accepted is set aside, so that people can examine it.
      if batch.hasJournal { batch.journal.noteDamage() }
      return fail(id, reason)
    }
    state.paused.noteFailure(reason)
    if operation == .append { pause(batch, \.appends, reason) } else { pause(batch, \.reads, reason) }
  }

  private mutating func pause<Operation>(
    _ batch: OpenBatch, _ queue: WritableKeyPath<BatchJournal, JournalQueue<Operation>>, _ reason: String
  ) {
    batch.journal[keyPath: queue].wait(reason, at: now)
    let isFirst = !state.paused.ids.contains(batch.id)
    if let message = state.paused.add(batch.id, reason, at: now) { log(.warning, message) }
    if isFirst { sendWaiting(reason, batch) }
  }

  /// The journal of a batch that paused can be used again.
  private mutating func continueAfterPause(_ batch: OpenBatch) {
    guard batch.journal.pauseReason == nil else { return }
    noteEndOfPause(batch)
    sendWaiting("", batch)
    if batch.rows.takeRefusal() { accept(batch) }
    cutMore(batch)
    sendResults(of: batch)
  }

  mutating func noteEndOfPause(_ batch: OpenBatch) {
    if let message = state.paused.remove(batch.id, at: now) { log(.warning, message) }
  }

  /// Retries operations that failed for a temporary reason.
  mutating func retryJournals() {
    retryCreation()
    for id in state.paused.ids.sorted() {
      guard let batch = state.batches[id] else { continue }
      writeNext(batch)
      readNext(batch)
    }
    for (id, batch) in state.unreadable.sorted(by: { $0.key < $1.key }) where batch.isDue(at: now) {
      emit(.recoverJournal(id))
    }
  }
}
