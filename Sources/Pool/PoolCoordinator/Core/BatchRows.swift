import Buffers
import PoolMemory
import PoolProtocol

/// The rows of a batch between their client and its jobs.
struct BatchRows {
  /// A chunk that is not yet cut into jobs, and the time in nanoseconds from which its rows could be laid out.
  typealias Uncut = (chunk: RowsChunk<UncutLines>, readySince: UInt64)

  enum UncutLines {
    case memory(OwnedBytes)
    case journal(JournalRange)
    /// The journal is being read.
    case reading
    /// The lines are lost, because the journal is damaged.
    case lost
  }

  /// The number of chunks that may differ from their checksums before the batch fails. Another program may write the rows file
  /// while the client reads it.
  private static let maxDamages = 100

  /// The number of rows that were received.
  private(set) var received: UInt64 = 0
  /// The description of the input, once the last rows were received.
  private(set) var input: InputSummary?
  /// The number of rows in the journal, and whether these are all rows.
  private(set) var stored: UInt64 = 0
  private(set) var isStored = false
  /// The rows that the client has under way, counted as the client must count them: until their results are sent or, if the client
  /// does not wait for results, until they are stored.
  ///
  /// The client receives both acknowledgements later than they are counted here, so the count of a correct client is never below
  /// this one.
  private(set) var underWay = RowsUnderWay()
  /// The largest window that the client was given, in bytes.
  private var window: UInt64 = 0
  /// The chunks that are not yet cut into jobs, in row order.
  private(set) var uncut: ArraySlice<Uncut> = []
  /// Whether chunks were refused while the batch paused, so that the client sends them again.
  private(set) var hasRefused = false
  /// Lines in shared memory that lost workers may still read. They are retained until these workers or the batch have ended.
  private(set) var ofLostWorkers: [(lines: OwnedBytes, reader: PeerMemory)] = []
  private var damages = 0

  /// Whether the last rows were received.
  var isComplete: Bool { input != nil }

  /// Adds a chunk of the client. Returns false if the client exceeds its window. A correct client sends a chunk while fewer bytes
  /// than the window are unacknowledged.
  mutating func receive(_ chunk: RowsChunk<OwnedBytes>, _ flow: FlowControl) -> Bool {
    underWay.add(endRow: chunk.endRow, bytes: chunk.lines.count)
    let most = Int(clamping: max(window, UInt64(flow.firstChunk))) + flow.largestChunk
    guard underWay.bytes <= most else { return false }
    (received, input) = (chunk.endRow, chunk.end)
    return true
  }

  /// Adds a chunk that can be cut into jobs. If the batch stores rows, the chunk is already in the journal.
  ///
  /// - Parameter releases: Whether the chunk leaves the client's window now, instead of when its results are sent.
  mutating func store(_ chunk: RowsChunk<UncutLines>, releases: Bool, at now: UInt64) {
    (stored, isStored) = (chunk.endRow, chunk.isLast)
    if releases { underWay.release(upTo: stored) }
    uncut.append((chunk, now))
  }

  /// Adds a chunk of the journal of an earlier coordinator.
  mutating func recover(_ chunk: RowsChunk<JournalRange>, at now: UInt64) {
    uncut.append((chunk.moved(to: .journal(chunk.lines)), now))
    (received, input) = (chunk.endRow, chunk.end)
  }

  /// Adds the rows before `endRow` whose lines are lost.
  mutating func lose(upTo endRow: UInt64, isLast: Bool, at now: UInt64) {
    repeat {
      let rows = UInt32(clamping: endRow - received)
      let end: InputSummary? = isLast && received + UInt64(rows) == endRow ? .unknown : nil
      uncut.append((RowsChunk(.lost, firstLine: 0, firstRow: received, rows: rows, end: end), now))
      received += UInt64(rows)
    } while received < endRow
  }

  /// Ends the rows without a chunk.
  mutating func end(with input: InputSummary) { self.input = input }

  /// Records that the journal has all received rows.
  mutating func noteAllStored() { (stored, isStored) = (received, isComplete) }

  /// Records that the last rows are lost, and that the journal has the number of all rows.
  mutating func noteStoredEnd(rows: UInt64) { (stored, isStored) = (rows, true) }

  // MARK: Cutting

  /// Removes the first uncut chunk. `rest`: the rows of the chunk that remain uncut.
  mutating func cutFirst(leaving rest: Uncut? = nil) {
    uncut.removeFirst()
    if let rest { uncut.insert(rest, at: uncut.startIndex) }
  }

  /// Records that the lines of the first uncut chunk are being read from the journal.
  mutating func beginReading() { uncut[uncut.startIndex].chunk.lines = .reading }

  /// Adds the lines of the first uncut chunk. Returns false if they are not being read.
  mutating func endReading(_ lines: OwnedBytes) -> Bool {
    guard let first = uncut.first, case .reading = first.chunk.lines else { return false }
    uncut[uncut.startIndex].chunk.lines = .memory(lines)
    return true
  }

  // MARK: The client's side

  /// Changes the window. Chunks that were sent within an earlier window may still arrive.
  mutating func openWindow(_ bytes: UInt64) { window = max(window, bytes) }

  /// The results of the rows before this one were sent.
  mutating func releaseWindow(upTo row: UInt64) { underWay.release(upTo: row) }

  /// Refuses a chunk while the batch pauses.
  mutating func refuse() { hasRefused = true }

  /// Returns whether the client sends refused chunks again now.
  mutating func takeRefusal() -> Bool {
    defer { hasRefused = false }
    return hasRefused
  }

  /// Counts rows that differ from their checksum. Returns whether there were too many.
  mutating func noteDamage() -> Bool {
    damages += 1
    return damages >= Self.maxDamages
  }

  // MARK: Lost workers

  mutating func hold(_ lines: OwnedBytes, for reader: PeerMemory) { ofLostWorkers.append((lines, reader)) }

  mutating func releaseLinesOfEndedWorkers() { ofLostWorkers.removeAll { $0.reader.isGone } }
}
