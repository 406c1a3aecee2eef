import PoolProtocol
import PoolScheduler

/// A batch that the coordinator has accepted: a phase, and parts that own their data and change it by their own
/// transitions.
///
/// Its rows and results are in memory, in its journal or in both, in one of four ways:
///
/// | batch | `isKept` | `isHeldInMemory` | `storesRows` |
/// | --- | --- | --- | --- |
/// | of a coordinator without a spool: it ends with its client | no | yes | no |
/// | whose client sends the rows again when it resumes the batch | yes | yes | no |
/// | whose client waits for results without sending rows again | yes | yes | yes |
/// | that is detached, or was recovered with its rows | yes | no | yes |
///
/// No client of Galley detaches a batch whose rows it sends again.
final class OpenBatch {
  enum Phase: Equatable {
    /// The journal is being created.
    case creating
    /// Rows are received and laid out, and their results are delivered.
    case open
    /// All rows are done.
    case done(rows: UInt64)
    /// The batch failed, and its client receives the reason when it connects again.
    case failed(reason: String)
  }

  let id: BatchID
  let description: BatchDescription
  /// The time in nanoseconds at which a client submitted the batch; nil for a batch of an earlier coordinator.
  let submittedAt: UInt64?
  /// Whether the batch has a journal, and outlives its client and the coordinator.
  let isKept: Bool
  /// Whether delivered results make room for further rows, so that both remain in memory. A detached or recovered batch
  /// receives all rows at once and reads them from its journal when they are needed.
  let isHeldInMemory: Bool
  let setup: JobSetup

  private(set) var phase: Phase
  var rows = BatchRows()
  var results = BatchResults()
  var journal = BatchJournal()
  /// Whether a worker has returned a result of the batch, so that its program can be used.
  var hasUsableProgram = false
  var client: ClientOfBatch

  init(
    _ id: BatchID, _ description: BatchDescription, submittedAt: UInt64? = nil, isKept: Bool, isHeldInMemory: Bool,
    phase: Phase
  ) {
    (self.id, self.description, self.submittedAt) = (id, description, submittedAt)
    (self.isKept, self.isHeldInMemory, self.phase) = (isKept, isHeldInMemory, phase)
    client = ClientOfBatch(session: description.session)
    setup = JobSetup(program: description.program, variants: description.variants)
  }

  /// Changes the phase: `creating` to `open` to `done`, and each of these to `failed`. Any other change is illegal and has no
  /// effect. Returns why it is illegal, or nil.
  func enter(_ next: Phase) -> String? {
    switch (phase, next) {
    case (.creating, .open), (.open, .done): break
    case (.creating, .failed), (.open, .failed), (.done, .failed): break
    case (_, .creating), (_, .open), (_, .done), (.failed, .failed):
      return "batch \(name) is \(phase) and cannot become \(next)"
    }
    phase = next
    return nil
  }

  /// The name by which people and journals know the batch.
  var name: String { BatchName.text(id) }

  /// Whether the last rows were received.
  var isComplete: Bool { rows.isComplete }

  /// Whether the batch is neither done nor failed.
  var isOpen: Bool {
    switch phase {
    case .creating, .open: true
    case .done, .failed: false
    }
  }

  /// Whether the journal exists and is used.
  var hasJournal: Bool {
    switch phase {
    case .creating, .failed: false
    case .open, .done: isKept
    }
  }

  /// Whether the journal has the rows, and not only their results.
  var storesRows: Bool { isKept && !description.resendsRows }

  /// The estimated bytes of all results in the journal: per variant about as many as the rows have.
  var bytesOfMissingResults: Int {
    phase == .open ? max(0, journal.rowBytes * description.variants.count - journal.resultBytes) : 0
  }
}
