import Buffers
import PoolProtocol
import PoolScheduler

/// Batches that an earlier coordinator kept.
extension CoordinatorCore {
  /// Nanoseconds within which a client has to connect again for a batch whose journal may have lost its last rows.
  private static let doubtfulTime: UInt64 = 10_000_000_000

  /// The names of the batches that the coordinator has.
  public var batchNames: [String] { state.batches.keys.sorted().map { BatchName.text($0) } }

  mutating func recover(_ batches: [RecoveredBatch]) {
    var passing: [(id: BatchID, reason: String)] = []
    for recovered in batches where state.batches[recovered.id] == nil {
      let id = recovered.id
      state.lastBatch = max(state.lastBatch, id)
      let earlier = state.unreadable.removeValue(forKey: id)
      switch recovered.journal {
      case .read(let contents, let program, let age): recover(id, contents, program, bytes: recovered.bytes, age: age)
      case .unreadable(let reason):
        state.unreadable[id] = .passing(reason, bytes: recovered.bytes, after: earlier, at: now)
        if earlier == nil { passing.append((id, reason)) }
      case .setAside:
        state.unreadable[id] = UnreadableBatch(
          cause: .damaged(file: BatchName.damagedJournal(id)), bytes: recovered.bytes)
      }
    }
    if let (id, reason) = passing.first {
      log(
        .warning,
        "the journals of \(passing.count) batches cannot be read now and are read again later; batch "
          + "\(BatchName.text(id)): \(reason)")
    }
    removeUnusedPrograms(except: usedPrograms)
  }

  /// The programs of unreadable batches are unknown, so no program is removed.
  mutating func removeUnusedPrograms(except used: Set<ProgramID>) {
    guard state.unreadable.values.allSatisfy(\.isDamaged) else { return }
    emit(.removePrograms(except: used))
  }

  private mutating func recover(
    _ id: BatchID, _ contents: JournalContents, _ program: OwnedBytes?, bytes: Int, age: UInt64
  ) {
    let name = BatchName.text(id)
    if bytes == 0 && contents.batch == nil {
      log(.warning, "batch \(name) is removed: its journal is empty, so it was never accepted")
      return emit(.removeJournal(id))
    }
    guard let (version, description) = contents.batch, !description.variants.isEmpty else {
      log(.error, "batch \(name) is lost: the first record of its journal is damaged")
      return setAside(id, bytes: bytes)
    }
    guard version.isReadable else {
      let batch = UnreadableBatch(cause: .otherVersion(version), bytes: bytes)
      state.unreadable[id] = batch
      return log(.error, "batch \(name) is left as it is: its journal \(batch.reason)")
    }
    if let program {
      state.programs.add(program, description.program)
      state.programs.noteStored(description.program)
    }
    if !state.programs.contains(description.program) {
      log(
        .error,
        "batch \(name) has lost its program, which is missing in the spool or was damaged and is removed: rows without results "
          + "are delivered as bad rows")
    }
    if contents.damaged > 0 {
      log(.warning, "\(contents.damaged) records of batch \(name) are damaged and not used")
    }
    let batch = OpenBatch(id, description, isKept: true, isHeldInMemory: description.resendsRows, phase: .open)
    batch.results.recover(contents.results.filter { $0.value.columns.count == description.variants.count })
    batch.journal.recover(
      bytes: bytes, age: age &* 1_000_000,
      resultBytes: batch.results.recovered.values.reduce(0) { $0 + $1.columns.bytes })
    addRows(contents, to: batch)
    // A damaged record may contain the last rows.
    if contents.damaged > 0 && !batch.isComplete && !description.resendsRows { batch.journal.noteDoubt() }
    resume(batch)
  }

  mutating func setAside(_ id: BatchID, bytes: Int) {
    state.unreadable[id] = UnreadableBatch(cause: .damaged(file: BatchName.damagedJournal(id)), bytes: bytes)
    log(
      .warning,
      "the damaged journal of batch \(BatchName.text(id)) is set aside as \(BatchName.damagedJournal(id)) in the spool")
    emit(.setAsideJournal(id))
  }

  /// Adds the rows of a journal, including the lost ones.
  private mutating func addRows(_ contents: JournalContents, to batch: OpenBatch) {
    for chunk in contents.chunks.sorted(by: { $0.firstRow < $1.firstRow }) {
      guard chunk.firstRow >= batch.rows.received, !batch.isComplete else { continue }
      addLostRows(upTo: chunk.firstRow, to: batch, isLast: false)
      batch.rows.recover(chunk, at: now)
      batch.journal.recoverRows(bytes: chunk.lines.count)
    }
    if let end = contents.end, !batch.isComplete, end.rows >= batch.rows.received {
      addLostRows(upTo: end.rows, to: batch, isLast: true)
      batch.rows.end(with: end.input)
    }
    batch.rows.noteAllStored()
  }

  private mutating func resume(_ batch: OpenBatch) {
    let done = batch.results.recoveredRows
    add(batch)
    state.metrics.batchesRecovered += 1
    if !batch.isComplete {
      batch.client.expectRows(until: now + (batch.journal.isDoubtful ? Self.doubtfulTime : Self.abandonedTime))
    }
    log(.info, "batch \(batch.name) continues: \(done) rows are done")
    act(on: .batchOpened(batch.id, priority: batch.description.priority, owner: batch.description.owner))
    cutMore(batch)
  }
}
