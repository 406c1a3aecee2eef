import PoolProtocol
import PoolScheduler

/// The limits of the spool: of its size, and of the time that batches stay in it.
extension CoordinatorCore {
  enum SpoolRefusal {
    /// There may be room later.
    case passing(String)
    /// The batch alone is too large.
    case final(String)
  }

  // MARK: Size

  /// The bytes of journals and of the programs of batches. Other programs are removed where bytes are limited.
  private func spoolBytes(for description: BatchDescription) -> Int {
    let used = Set(state.batches.values.map(\.description.program) + [description.program])
    if state.programs.trim(used: used, keeping: 0) { removeUnusedPrograms(except: used) }
    return state.batches.values.reduce(0) { $0 + $1.state.journalBytes }
      + state.unreadable.values.reduce(0) { $0 + $1.bytes } + state.programs.storedBytes
  }

  /// Returns why a batch cannot be accepted; nil when there is room for it.
  func spoolRefusal(of description: BatchDescription) -> String? {
    guard let limit = configuration.spoolLimit, configuration.keepsBatches else { return nil }
    let used = state.batches.values.reduce(spoolBytes(for: description)) { $0 + $1.bytesOfMissingResults }
    guard used >= limit else { return nil }
    return "the spool has no room: \(Self.mebibytes(used)) of \(Self.mebibytes(limit)) MiB (--spool-limit) are used or "
      + "reserved for results; fetch or cancel batches, which galley batches lists"
  }

  /// Returns why a record cannot be written; nil when there is room for it. Rows are written only with room for their
  /// results and for those of all other rows, so that what was accepted comes to its end.
  func refusal(of append: OpenBatch.Append, _ batch: OpenBatch) -> SpoolRefusal? {
    guard let limit = configuration.spoolLimit else { return nil }
    let used = spoolBytes(for: batch.description)
    switch append {
    case .end: return nil
    case .result(let result, _):
      guard used + result.bytes > limit else { return nil }
      return .passing(Self.noRoom(limit))
    case .chunk(_, let lines, _):
      let needed = lines.count * (1 + batch.description.variants.count)
      let program = state.programs.storedBytes(of: batch.description.program)
      let own = batch.state.journalBytes + batch.bytesOfMissingResults + needed + program
      if own > limit {
        return .final(
          "the batch and its results are larger than the spool may be: \(Self.mebibytes(limit)) MiB (--spool-limit)")
      }
      guard state.batches.values.reduce(used + needed, { $0 + $1.bytesOfMissingResults }) > limit else { return nil }
      return .passing(Self.noRoom(limit))
    }
  }

  private static func noRoom(_ limit: Int) -> String {
    "the spool has reached \(mebibytes(limit)) MiB (--spool-limit); there is room when batches are fetched or cancelled"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10) >> 20
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Time

  /// Begins the time that a batch stays without a client, if it is done.
  func beginKeepTime(of batch: OpenBatch) {
    guard let time = configuration.keepTime, batch.isKept, batch.state.client == nil else { return }
    switch batch.state.phase {
    case .creating, .open: break
    case .done, .failed: batch.state.expiresAt = now + time - min(time, batch.state.journalAge)
    }
  }

  func removeExpiredBatches() {
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) {
      guard let time = batch.state.expiresAt, now >= time else { continue }
      emit(.log(.warning, "batch \(batch.name) is removed: nobody has fetched it in the time that --keep states"))
      close(id)
    }
  }
}

extension OpenBatch {
  /// The bytes of the results that the journal will have, as far as they can be estimated: about as many per variant as
  /// the rows have.
  var bytesOfMissingResults: Int {
    if case .open = state.phase { max(0, state.rowBytes * description.variants.count - state.resultBytes) } else { 0 }
  }

  /// Whether the journal exists and is used.
  var hasJournal: Bool {
    switch state.phase {
    case .creating, .failed: false
    case .open, .done: isKept
    }
  }
}
