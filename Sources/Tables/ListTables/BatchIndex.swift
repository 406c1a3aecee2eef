import Buffers

/// The first record of each batch of a table, to find the batch of a record.
struct BatchIndex: Sendable {
  /// The index of the first record of each batch, and the number of all records.
  private let starts: [Int]

  /// - Parameter counts: The number of records of each batch.
  init(counts: [Int]) {
    var starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
  }

  var recordCount: Int { starts[starts.count - 1] }
  var batchCount: Int { starts.count - 1 }

  /// Returns the index in the table of the first record of a batch.
  func first(ofBatch batch: Int) -> Int { starts[batch] }

  func count(ofBatch batch: Int) -> Int { starts[batch + 1] - starts[batch] }

  /// Returns the batch of a record, and the index of the record in it.
  @inline(__always)
  func position(of record: Int) -> (batch: Int, index: Int) {
    precondition(record >= 0 && record < recordCount, "record \(record) of \(recordCount)")
    // Batches usually have the same size.
    let guess = record / max(starts[1], 1)
    if guess < batchCount, starts[guess] <= record, record < starts[guess + 1] {
      return (guess, record - starts[guess])
    }
    let batch = partitionPoint(batchCount) { starts[$0 + 1] <= record }
    return (batch, record - starts[batch])
  }

  /// Calls `body` with each batch that has some of the records, and with the indices of these in it.
  @inline(__always)
  func forEachRun<Failure>(
    _ records: Range<Int>, _ body: (_ batch: Int, _ indices: Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    var next = records.lowerBound
    while next < records.upperBound {
      let (batch, first) = position(of: next)
      let count = min(records.upperBound - next, starts[batch + 1] - next)
      try body(batch, first..<first + count)
      next += count
    }
  }

  /// Returns the number of records of the table for which a condition holds that holds for none behind one for which it
  /// does not.
  ///
  /// - Parameter isBefore: The condition of a batch and the index of a record in it.
  @inline(__always)
  func partition(by isBefore: (_ batch: Int, _ index: Int) -> Bool) -> Int {
    // The first batch whose last record does not meet the condition has the point.
    let batch = partitionPoint(batchCount) { batch in
      isBefore(batch, starts[batch + 1] - starts[batch] - 1)
    }
    guard batch < batchCount else { return recordCount }
    return starts[batch]
      + partitionPoint(starts[batch + 1] - starts[batch]) { isBefore(batch, $0) }
  }
}
