import PoolProtocol
import PoolScheduler

/// The list of all batches, in pages.
extension CoordinatorCore {
  /// Sends the batches that a peer may see: an operator all batches, a client its own.
  mutating func sendBatches(after name: String, to identity: PeerIdentity, _ holder: KeyHolder) {
    let last = BatchName.id(name) ?? 0
    let own = state.batches.values.filter { holder.mayUse(batchOf: $0.description.owner) }.map(\.id)
    let unreadable = holder.mayUse(batchOf: "") ? Array(state.unreadable.keys) : []
    let ids = (own + unreadable).filter { $0 > last }.sorted()
    let page = Set(ids.prefix(ProtocolLimits.batchesOfStatus)).sorted()
    let batches = page.compactMap { id in
      state.batches[id].map { status(of: $0) } ?? state.unreadable[id].map { status(of: $0, id) }
    }
    send(.batches(batches, hasMore: page.last ?? 0 < ids.last ?? 0), toClient: identity)
  }

  /// Describes a batch by its journal in the spool.
  func describeJournal(of batch: OpenBatch, in status: inout PoolStatus.Batch) {
    status.age = age(of: batch.id)
    status.journalBytes = UInt64(batch.journal.bytes)
    status.state =
      switch batch.phase {
      case .failed: "failed"
      case _ where batch.journal.pauseReason != nil: "paused"
      case .done: "done"
      case .creating: "receiving"
      case .open: batch.isComplete ? "running" : "receiving"
      }
  }

  private func status(of batch: UnreadableBatch, _ id: BatchID) -> PoolStatus.Batch {
    var status = PoolStatus.Batch()
    status.name = BatchName.text(id)
    status.age = age(of: id)
    status.journalBytes = UInt64(batch.bytes)
    status.state = "unreadable"
    status.waiting = "its journal \(batch.reason)"
    return status
  }

  /// Returns the seconds since a batch was submitted: its number is that time in milliseconds.
  private func age(of batch: BatchID) -> UInt64 {
    state.time.sinceEpoch > batch ? (state.time.sinceEpoch - batch) / 1000 : 0
  }
}
