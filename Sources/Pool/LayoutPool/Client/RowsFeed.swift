import ZeroMQ

/// The rows of a batch on their way to a coordinator, so many bytes of them at a time.
final class RowsFeed {
  /// Bytes of a chunk.
  static let chunkBytes = 1 << 20

  private let rows: RowsReader
  private var window = 0
  private var isAccepted = false
  /// Rows that the coordinator said to keep.
  private var storedRows: UInt64 = 0
  /// Chunks that the coordinator may not have yet, if it has not taken the batch, or not stored, if it keeps it.
  private var unstored: [RowsReader.Chunk] = []
  /// Those of them that are to be sent (again).
  private var unsent: ArraySlice<RowsReader.Chunk> = []
  /// Chunks whose results are not all in: the row after their last, and their bytes.
  private var underWay: [(endRow: UInt64, bytes: Int)] = []
  /// Bytes of rows that were sent and whose results are not all in.
  private(set) var bytesUnderWay = 0
  /// All rows were sent at least once.
  private var isSent = false

  init(_ rows: RowsReader) { self.rows = rows }

  /// There are no more bytes than a chunk has.
  var isShort: Bool { rows.contentSize.map { $0 <= Self.chunkBytes } ?? false }
  var inputBytes: UInt64 { UInt64(rows.bytesRead) }
  var inputHash: String { rows.inputHash }

  /// The batch is being submitted: rows that are few go with it, so that they need not wait for the answer.
  func submit() {
    if isShort { window = Self.chunkBytes }
    unsent = unstored[...]
  }

  /// The coordinator takes the batch, and has some of its rows already if it kept it; false if it has fewer than it said
  /// before.
  func begin(window: Int, storedRows: UInt64, isComplete: Bool, isKept: Bool) -> Bool {
    guard storedRows >= self.storedRows else { return false }
    self.window = window
    if isAccepted {
      noteStored(upTo: storedRows, isComplete: isComplete)
      unsent = unstored[...]
    } else {
      isAccepted = true
      if !isKept { unstored = [] }
    }
    return true
  }

  /// The next chunk that may be sent; nil if there is none (yet).
  ///
  /// - Parameters:
  ///   - keeps: the coordinator keeps the batch, so that a chunk may have to be sent again until it is stored.
  ///   - waitsForResults: there is room for a chunk when the results of earlier ones are in, and not already when they
  ///     are stored.
  ///   - frame: makes the frame of a copy of rows.
  func next(
    keeps: Bool, waitsForResults: Bool, frame: (UnsafeRawBufferPointer) -> Frame
  ) throws(RowsError) -> RowsReader.Chunk? {
    if let chunk = unsent.popFirst() { return chunk }
    guard (waitsForResults ? bytesUnderWay : unstored.reduce(0) { $0 + $1.lines.count }) < window else { return nil }
    while !isSent {
      guard let chunk = try rows.next(bytes: min(Self.chunkBytes, window), frame: frame) else { return nil }
      isSent = chunk.isLast
      guard chunk.rows > 0 || chunk.isLast else { continue }
      underWay.append((chunk.endRow, chunk.lines.count))
      bytesUnderWay += chunk.lines.count
      if keeps || !isAccepted { unstored.append(chunk) }
      return chunk
    }
    return nil
  }

  /// The results of the rows before this one are in.
  func release(upTo row: UInt64) {
    while let first = underWay.first, first.endRow <= row {
      bytesUnderWay -= first.bytes
      underWay.removeFirst()
    }
  }

  /// The coordinator keeps the rows before this one.
  func noteStored(upTo row: UInt64, isComplete: Bool) {
    storedRows = row
    let isStored = { (chunk: RowsReader.Chunk) in chunk.endRow <= row && (isComplete || !chunk.isLast) }
    unstored.removeAll(where: isStored)
    unsent.removeAll(where: isStored)
  }
}

extension RowsReader.Chunk {
  /// The row after its last.
  var endRow: UInt64 { firstRow + UInt64(rows) }
}
