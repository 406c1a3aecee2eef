import Buffers
import Hashing
import PoolProtocol

/// Results, which the client takes in row order.
extension ClientCore {
  /// The number of damaged results after which a batch fails.
  static let maxDamagedResults = 8

  /// Takes runs of rows in order.
  func take(
    _ runs: [ResultRun], _ parts: [OwnedBytes], _ conversation: inout Conversation,
    into effects: inout [ClientEffect]
  ) {
    let before = conversation.nextRow
    for run in runs {
      // Columns of rows that are not wanted are looked up too, which releases their memory.
      let columns = run.columns.map { conversation.channel?.columns($0) } ?? parts
      // Rows come again when the batch was asked for again.
      guard run.firstRow >= conversation.nextRow, !conversation.hasLostResults else { continue }
      guard run.firstRow == conversation.nextRow else { return fail(.outOfOrder, &conversation, into: &effects) }
      guard let columns else {
        // The memory of a coordinator that was killed, and of its workers, is gone: the batch is lost with it.
        let hasLostCoordinator = conversation.channel?.hasLostCoordinator == true
        if !hasLostCoordinator { conversation.sharesMemory = false }
        askAgain(&conversation, hasLostCoordinator ? .lostConnection : .outOfSight, into: &effects)
        if conversation.hasEnded { return }
        continue
      }
      guard columns.map(\.checksum) == run.checksums else {
        conversation.damagedResults += 1
        guard conversation.damagedResults < Self.maxDamagedResults else {
          return fail(.damaged, &conversation, into: &effects)
        }
        askAgain(&conversation, .damaged, into: &effects)
        if conversation.hasEnded { return }
        continue
      }
      // The results of a detached batch belong to the client that fetches it.
      if !conversation.isDetached { effects.append(.take(rows: Int(run.rows), columns: columns)) }
      conversation.nextRow += UInt64(run.rows)
    }
    guard conversation.nextRow > before else { return }
    conversation.rows.release(upTo: conversation.nextRow)
    if !conversation.name.isEmpty { acknowledge(conversation, into: &effects) }
  }

  func acknowledge(_ conversation: Conversation, into effects: inout [ClientEffect]) {
    let token = conversation.channel?.seenToken ?? 0
    effects.append(.send(.acknowledge(batch: number, rows: conversation.nextRow, seenToken: token), []))
  }

  /// Asks again for results that the client cannot see, perhaps because the coordinator that showed them has ended, or that
  /// are damaged. Only a kept batch has them still.
  func askAgain(
    _ conversation: inout Conversation, _ error: PoolError, into effects: inout [ClientEffect]
  ) {
    guard !conversation.name.isEmpty else { return fail(error, &conversation, into: &effects) }
    conversation.hasLostResults = true
    attach(conversation.name, &conversation, into: &effects)
  }
}
