import Buffers
import Hashing
import PoolProtocol

/// The client takes results in row order.
extension ClientCore {
  /// The number of damaged results after which a batch fails.
  static let maxDamagedResults = 8

  /// Takes runs of rows in order.
  mutating func take(_ runs: [ResultRun<SharedRange?>], _ parts: [OwnedBytes], _ conversation: inout Conversation) {
    let before = conversation.nextRow
    for run in runs {
      // Unwanted columns are also mapped, because this releases their memory.
      let columns = run.columns.map { conversation.channel?.columns($0) } ?? parts
      // A repeated request for the batch repeats rows.
      guard run.firstRow >= conversation.nextRow, !conversation.hasLostResults else { continue }
      guard run.firstRow == conversation.nextRow else { return fail(.outOfOrder, &conversation) }
      guard let columns else {
        // The memory of a killed coordinator and of its workers no longer exists, so the batch is lost.
        let hasLostCoordinator = conversation.channel?.hasLostCoordinator == true
        if !hasLostCoordinator { conversation.sharesMemory = false }
        askAgain(&conversation, hasLostCoordinator ? .lostConnection : .outOfSight)
        if conversation.hasEnded { return }
        continue
      }
      guard columns.map(\.checksum) == run.checksums else {
        conversation.damagedResults += 1
        guard conversation.damagedResults < Self.maxDamagedResults else {
          return fail(.damaged, &conversation)
        }
        askAgain(&conversation, .damaged)
        if conversation.hasEnded { return }
        continue
      }
      // The results of a detached batch belong to the client that fetches it.
      if !conversation.isDetached { emit(.take(rows: Int(run.rows), columns: columns)) }
      conversation.nextRow += UInt64(run.rows)
    }
    guard conversation.nextRow > before else { return }
    conversation.rows.release(upTo: conversation.nextRow)
    if !conversation.name.isEmpty { acknowledge(conversation) }
  }

  mutating func acknowledge(_ conversation: Conversation) {
    let token = conversation.channel?.seenToken ?? 0
    send(.acknowledge(batch: number, rows: conversation.nextRow, seenToken: token))
  }

  /// Requests results again that are damaged or lie in memory that the client cannot map, for example because that coordinator
  /// has ended. Only a kept batch still has them.
  mutating func askAgain(_ conversation: inout Conversation, _ error: PoolError) {
    guard !conversation.name.isEmpty else { return fail(error, &conversation) }
    conversation.hasLostResults = true
    attach(conversation.name, &conversation)
  }
}
