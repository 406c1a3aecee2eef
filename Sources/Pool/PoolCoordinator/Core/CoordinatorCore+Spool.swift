import PoolProtocol

/// The limits of the spool: its size, and the time for which batches remain in it.
extension CoordinatorCore {
  // MARK: Size

  /// The current bytes of the spool.
  var spoolUse: Int {
    guard configuration.keepsBatches else { return 0 }
    return state.batches.values.reduce(0) { $0 + $1.journal.bytes }
      + state.unreadable.values.reduce(0) { $0 + $1.bytes } + state.programs.storedBytes
  }

  /// The programs of batches.
  var usedPrograms: Set<ProgramID> { Set(state.batches.values.map(\.description.program)) }

  /// The bytes of journals and of the programs of batches. Other programs are removed where bytes are limited.
  private mutating func spoolBytes(for description: BatchDescription) -> Int {
    let used = usedPrograms.union([description.program])
    if state.programs.trim(used: used, keeping: 0) { removeUnusedPrograms(except: used) }
    return spoolUse
  }

  /// Returns the reason why a batch cannot be accepted; nil if it can.
  mutating func spoolRefusal(of description: BatchDescription) -> String? {
    guard let limit = configuration.spoolLimit, configuration.keepsBatches else { return nil }
    return noRoomForBatch(used: spoolBytes(for: description), limit)
  }

  /// Removes the program that a refused batch has brought, unless another batch uses it. The program would count for the spool, which
  /// does not have it. One that an earlier batch brought stays: without it, the journal of the next batch might find room that its
  /// program takes again.
  mutating func removeProgram(of description: BatchDescription) {
    guard configuration.keepsBatches, !usedPrograms.contains(description.program),
      state.programs.removeUnstored(description.program)
    else { return }
    removeUnusedPrograms(except: state.programs.ids)
  }

  /// Returns the reason why no batch can be accepted; nil if some can.
  var refusalOfAll: String? {
    guard case .running = state.life else { return Self.isStopping }
    guard let limit = configuration.spoolLimit, configuration.keepsBatches else { return nil }
    let unused = state.programs.storedBytes - state.programs.storedBytes(of: usedPrograms)
    return noRoomForBatch(used: spoolUse - unused, limit)
  }

  private func noRoomForBatch(used: Int, _ limit: Int) -> String? {
    let used = state.batches.values.reduce(used) { $0 + $1.bytesOfMissingResults }
    guard used >= limit else { return nil }
    return "the spool has no room: \(Self.mebibytes(used)) of \(Self.mebibytes(limit)) MiB (--spool-limit) are used or "
      + "reserved for results; "
      + (state.batches.isEmpty && state.unreadable.isEmpty
        ? "start the coordinator with a larger one" : "fetch or cancel batches, which galley batches lists")
  }

  /// Returns the reason why a record cannot be written; nil if there is room. Rows require room for the results of all accepted
  /// rows, so that an accepted batch can be completed.
  ///
  /// - Returns: `canPass`: whether the limit is only reached now, so that there is room when other batches are removed.
  mutating func refusal(
    of append: BatchJournal.Append, _ batch: OpenBatch
  ) -> (reason: String, canPass: Bool)? {
    let limit = configuration.spoolLimit ?? .max
    let share = keyShare(of: batch.description.owner) ?? .max
    guard min(limit, share) < .max else { return nil }
    let used = spoolBytes(for: batch.description)
    switch append {
    case .end: return nil
    case .result(let result):
      guard used + result.bytes > limit else { return nil }
      let own = batch.journal.bytes + result.bytes + state.programs.storedBytes(of: batch.description.program)
      // The results that it has are kept for a coordinator with a larger limit.
      let canNeverFit = "\(Self.tooLarge(limit)); start the coordinator with a larger one, or cancel the batch"
      return (own > limit ? canNeverFit : Self.noRoom(limit), true)
    case .chunk(let chunk):
      let needed = chunk.lines.count * (1 + batch.description.variants.count)
      let program = state.programs.storedBytes(of: batch.description.program)
      let own = batch.journal.bytes + batch.bytesOfMissingResults + needed
      if own + program > limit { return (Self.tooLarge(limit), false) }
      if own > share { return ("the batch and its results are larger than \(Self.share(share))", false) }
      if state.batches.values.reduce(used + needed, { $0 + $1.bytesOfMissingResults }) > limit {
        return (Self.noRoom(limit), true)
      }
      guard reservedBytes(of: batch.description.owner) + needed > share else { return nil }
      return (
        "the batches of the key \(batch.description.owner) have reached \(Self.share(share)); there is room when they are "
          + "fetched or cancelled", true
      )
    }
  }

  // MARK: Keys

  /// Returns the reason why the holder of a key cannot submit another batch; nil if it can.
  func keyRefusal(of owner: String) -> String? {
    guard !owner.isEmpty else { return nil }
    let open = state.batches.values.count { $0.description.owner == owner && $0.isOpen }
    if open >= configuration.batchesOfKey {
      return "the key \(owner) has \(open) batches that are not done, as many as it may have (--key-batches)"
    }
    guard let share = keyShare(of: owner), reservedBytes(of: owner) >= share else { return nil }
    return "the batches of the key \(owner) have reached \(Self.share(share)); fetch or cancel batches, which galley "
      + "batches lists"
  }

  /// The bytes that the journals of a key's batches may have; nil without a limit.
  private func keyShare(of owner: String) -> Int? {
    owner.isEmpty || !configuration.keepsBatches
      ? nil : configuration.spoolBytesOfKey ?? configuration.spoolLimit.map { $0 / 2 }
  }

  /// The bytes of the journals of a key's batches, and those that are reserved for their results.
  private func reservedBytes(of owner: String) -> Int {
    state.batches.values.reduce(0) {
      $1.description.owner == owner ? $0 + $1.journal.bytes + $1.bytesOfMissingResults : $0
    }
  }

  private static func share(_ bytes: Int) -> String { "the \(mebibytes(bytes)) MiB of one key (--key-spool-limit)" }

  private static func tooLarge(_ limit: Int) -> String {
    "the batch and its results are larger than the spool may be: \(mebibytes(limit)) MiB (--spool-limit)"
  }

  private static func noRoom(_ limit: Int) -> String {
    "the spool has reached \(mebibytes(limit)) MiB (--spool-limit); there is room when batches are fetched or cancelled"
  }

  private static func mebibytes(_ bytes: Int) -> String {
    let tenths = (bytes * 10) >> 20
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Time

  /// The least time for clients to connect again after the start of the coordinator.
  static let reconnectionTime: UInt64 = 120_000_000_000

  /// Starts the time limit of a batch that is done and has no client. Nobody but its client can use the results of a part.
  func beginKeepTime(of batch: OpenBatch) {
    let limit =
      batch.description.isPartial ? min(configuration.keepTime ?? .max, Self.abandonedTime) : configuration.keepTime
    guard let time = limit, batch.isKept, batch.client.connection == nil else { return }
    switch batch.phase {
    case .creating, .open: break
    case .done, .failed:
      let rest = time - min(time, batch.journal.age)
      batch.client.expire(at: now + max(rest, min(time, Self.reconnectionTime)))
    }
  }

  mutating func removeExpiredBatches() {
    for (id, batch) in state.batches.sorted(by: { $0.key < $1.key }) {
      guard let time = batch.client.expiresAt, now >= time else { continue }
      let reason =
        batch.description.isPartial
        ? "its client has not connected again" : "nobody has fetched it in the time that --keep states"
      log(.warning, "batch \(batch.name) is removed: \(reason)")
      close(id)
    }
  }
}
