import Buffers
import PoolProtocol
import PoolScheduler

/// What the journals report.
extension CoordinatorCore {
  func noteAppended(_ id: BatchID, _ ranges: [JournalRange]) {
    guard let batch = state.batches[id], let append = batch.state.appends.popFirst() else { return }
    switch append {
    case .chunk(var chunk):
      if !batch.isHeldInMemory, let range = ranges.first { chunk.source = .journal(range) }
      noteStored(chunk, in: batch)
    case .result(let result, let hash): noteStored(result, linesHash: hash, ranges, in: batch)
    }
  }

  func noteRead(_ id: BatchID, _ parts: [OwnedBytes]) {
    guard let batch = state.batches[id], let read = batch.state.reads.popFirst() else { return }
    switch read {
    case .chunk: if let lines = parts.first { noteRead(chunk: lines, of: batch) }
    case .results(let result, let fetch): noteRead(parts, of: result, fetch: fetch, in: batch)
    }
  }
}
