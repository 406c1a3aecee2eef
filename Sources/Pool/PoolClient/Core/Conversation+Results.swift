import Buffers
import Hashing
import PoolProtocol

/// The client takes results in row order.
extension Conversation {
  /// The number of damaged results after which a batch fails.
  static let maxDamagedResults = 8

  /// Takes runs of rows in order.
  mutating func take(_ runs: [ResultRun<SharedRange?>], _ parts: [OwnedBytes]) {
    let before = nextRow
    for run in runs {
      // Unwanted columns are also mapped, because this releases their memory.
      let columns = run.columns.map { channel?.columns($0) } ?? parts
      // A repeated request for the batch repeats rows.
      guard run.firstRow >= nextRow, !lacksResults else { continue }
      guard run.firstRow == nextRow else { return fail(.outOfOrder) }
      guard let columns else {
        // The memory of a killed coordinator and of its workers no longer exists, so the batch is lost.
        let hasLostCoordinator = channel?.hasLostCoordinator == true
        if !hasLostCoordinator { sharesMemory = false }
        askAgain(hasLostCoordinator ? .lostConnection : .outOfSight)
        if hasEnded { return }
        continue
      }
      guard columns.map(\.checksum) == run.checksums else {
        damagedResults += 1
        guard damagedResults < Self.maxDamagedResults else { return fail(.damaged) }
        askAgain(.damaged)
        if hasEnded { return }
        continue
      }
      // The results of a detached batch belong to the client that fetches it.
      if !isDetached { emit(.take(rows: Int(run.rows), columns: columns)) }
      nextRow += UInt64(run.rows)
    }
    guard nextRow > before else { return }
    rows.release(upTo: nextRow)
    if name != nil { acknowledge() }
  }

  mutating func acknowledge() {
    let token = channel?.seenToken ?? 0
    send(.acknowledge(batch: number, rows: nextRow, seenToken: token))
  }

  /// Requests results again that are damaged or lie in memory that the client cannot map, for example because that coordinator
  /// has ended. Only a kept batch still has them.
  mutating func askAgain(_ error: PoolError) {
    guard let name else { return fail(error) }
    phase = .kept(name: name, lacksResults: true)
    attach(name)
  }
}
