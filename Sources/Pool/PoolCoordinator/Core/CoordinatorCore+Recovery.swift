import Buffers
import PoolProtocol
import PoolScheduler

/// Batches that a coordinator before this one kept.
extension CoordinatorCore {
  /// The names of the batches that the coordinator has.
  public var batchNames: [String] { state.batches.keys.sorted().map { OpenBatch.name($0) } }

  func recover(_ batches: [RecoveredBatch]) {
    for recovered in batches {
      switch recover(recovered) {
      case .success(let batch):
        state.lastBatch = max(state.lastBatch, batch.id)
        resume(batch)
      case .failure(let loss):
        let name = OpenBatch.name(recovered.id)
        emit(.log(.error, "batch \(name) is lost: its journal \(loss.reason); it is set aside"))
        emit(.setAsideJournal(recovered.id))
      }
    }
    emit(.removePrograms(except: Set(state.batches.values.map(\.description.program))))
  }

  private struct Loss: Error {
    let reason: String
  }

  private func recover(_ recovered: RecoveredBatch) -> Result<OpenBatch, Loss> {
    let contents = recovered.contents
    if let reason = recovered.failure { return .failure(Loss(reason: reason)) }
    guard let (version, description) = contents.batch, !description.variants.isEmpty else {
      return .failure(Loss(reason: "is not the journal of a batch"))
    }
    guard version == Version.current else {
      return .failure(Loss(reason: "is of version \(version), this is \(Version.current)"))
    }
    if let program = recovered.program { state.programs.add(program, description.program) }
    guard state.programs[description.program] != nil else { return .failure(Loss(reason: "has no program")) }
    if contents.damaged > 0 {
      let name = OpenBatch.name(recovered.id)
      emit(.log(.warning, "\(contents.damaged) records of batch \(name) are damaged and not used"))
    }
    let batch = OpenBatch(
      recovered.id, description, isKept: true, isHeldInMemory: description.resendsRows, phase: .open)
    batch.state.lastAttempt = (description.session, 0)
    batch.state.recovered = contents.results.filter { $0.value.columns.count == description.variants.count }
    for chunk in contents.chunks {
      guard chunk.header.firstRow == batch.state.receivedRows, !batch.isComplete else {
        return .failure(Loss(reason: "is damaged at row \(batch.state.receivedRows); submit the batch again"))
      }
      batch.state.receivedRows = chunk.header.endRow
      batch.state.input = chunk.end
      batch.state.uncut.append(.init(header: chunk.header, isLast: chunk.end != nil, source: .journal(chunk.lines)))
    }
    // The last rows may be in a damaged record: whoever fetches the batch would wait for them for ever.
    guard batch.isComplete || contents.damaged == 0 || description.resendsRows else {
      return .failure(Loss(reason: "is damaged at row \(batch.state.receivedRows); submit the batch again"))
    }
    (batch.state.storedRows, batch.state.isStored) = (batch.state.receivedRows, batch.isComplete)
    return .success(batch)
  }

  private func resume(_ batch: OpenBatch) {
    let done = batch.state.recovered.values.reduce(UInt64(0)) { $0 + UInt64($1.rows) }
    add(batch)
    if !batch.isComplete { batch.state.abandonedAt = now }
    emit(.log(.info, "batch \(batch.name) continues: \(done) rows are done"))
    act(on: .batchOpened(batch.id, priority: batch.description.priority))
    cutMore(batch)
  }
}
