import ZeroMQ

/// A job that the scheduler knows of.
final class OpenJob {
  let batch: OpenBatch
  let bytes: JobBytes
  /// What came of it: in memory, in the batch's journal, or in both.
  @exclusivity(unchecked) var columns: [Frame]?
  @exclusivity(unchecked) var stored: BatchJournal.StoredResult?

  init(_ bytes: JobBytes, of batch: OpenBatch) { (self.bytes, self.batch) = (bytes, batch) }
}
