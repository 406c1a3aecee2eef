import Buffers
import PoolProtocol
import PoolScheduler

/// Rows whose lines are lost because the journal is damaged, or that cannot be laid out because the program is damaged. Those
/// without results become bad rows, so that all other rows are delivered.
extension CoordinatorCore {
  /// The largest number of rows without results in one job.
  private static let maxRowsOfJob: UInt64 = 1_000

  mutating func addLostRows(upTo endRow: UInt64, to batch: OpenBatch, isLast: Bool) {
    let first = batch.rows.received
    guard endRow > first || isLast else { return }
    if endRow > first {
      batch.journal.noteDamage()
      log(
        .error,
        "batch \(batch.name) has lost the lines of its rows \(first) to \(endRow - 1), because its journal is damaged; "
          + "those without results are delivered as bad rows")
    }
    batch.rows.lose(upTo: endRow, isLast: isLast, at: now)
  }

  /// Makes a job of the next lost rows of a batch: the rows of a stored result, or the rows before the next stored result.
  mutating func cutLost(_ chunk: RowsChunk<BatchRows.UncutLines>, _ batch: OpenBatch) -> SchedulerEvent {
    guard chunk.rows > 0 else {
      batch.rows.cutFirst()
      return .jobsAdded(batch.id, [], isLast: chunk.isLast)
    }
    var end = min(chunk.firstRow + Self.maxRowsOfJob, chunk.endRow)
    let stored = batch.results.takeRecovered(at: chunk.firstRow).flatMap {
      $0.rows > 0 && $0.endRow <= chunk.endRow ? $0 : nil
    }
    if let stored {
      end = stored.endRow
    } else if let next = (chunk.firstRow..<end).first(where: { batch.results.recovered[$0] != nil }) {
      end = next
    }
    let rest = RowsChunk(
      BatchRows.UncutLines.lost, firstLine: 0, firstRow: end, rows: UInt32(chunk.endRow - end), end: chunk.end)
    batch.rows.cutFirst(leaving: rest.rows > 0 ? (rest, now) : nil)
    let lost = RowsChunk(
      OwnedBytes.empty, firstLine: 0, firstRow: chunk.firstRow, rows: UInt32(end - chunk.firstRow))
    let job = OpenJob(lost, of: batch, readySince: now)
    state.jobs[state.scheduler.nextJobID] = job
    if let stored {
      job.finish(JobResult(stored))
    } else {
      store(
        badRowsOf: job,
        "its line is lost, because the journal of the batch is damaged; once the batch is fetched, the spool of the "
          + "coordinator has the rest of the journal as \(BatchName.damagedJournal(batch.id))")
    }
    return .jobsAdded(batch.id, [lost.slice], isDone: [true], isLast: chunk.isLast && end == chunk.endRow)
  }

  /// Stores bad rows as the results of a job.
  mutating func store(badRowsOf job: OpenJob, _ error: String) {
    let rows = job.chunk.firstRow..<job.chunk.endRow
    store(job.batch.description.variants.map { _ in format.failedRows(rows, error) }, of: job)
  }

  /// Ends the rows of a batch whose last rows may be in a damaged record, and which has no client to send them. The batch then
  /// has its known rows and one bad row, which represents the lost ones.
  mutating func endWithLoss(_ batch: OpenBatch) {
    let known = max(batch.rows.received, batch.results.recoveredEnd)
    log(
      .error,
      "batch \(batch.name) ends after \(known) rows: its journal is damaged, and no client has sent the rest; row "
        + "\(known) stands for those that are lost")
    batch.client.endExpectingRows()
    batch.rows.end(with: .unknown)
    write(.end(JournalEnd(rows: known + 1, input: .unknown)), of: batch)
  }

  /// The journal has the end of a batch that has lost its last rows.
  mutating func noteStoredEnd(_ end: JournalEnd, of batch: OpenBatch) {
    addLostRows(upTo: end.rows, to: batch, isLast: true)
    batch.rows.noteStoredEnd(rows: end.rows)
    cutMore(batch)
  }
}

extension InputSummary {
  /// The description of the input for a batch whose end is lost.
  static let unknown = InputSummary(bytes: 0, hash: "")
}
