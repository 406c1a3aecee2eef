import Buffers
import Dispatch
import Foundation
import Hashing
import RowsFiles
import Synchronization

/// Rows that were read and compared with those of an earlier run.
struct ComparedRows: Sendable {
  /// The order of the rows that are taken over and of those that are laid out.
  var segments: ArraySlice<RowPlan.Segment> = []
  /// The positions of the rows that are laid out.
  var positions: [LinePosition] = []
  /// The lines of the rows that are laid out.
  var lines: [UInt8] = []
  /// The number of bytes read so far, as they are stored.
  var bytesRead = 0
}

/// A thread that reads rows and compares them with those of an earlier run, ahead of the rows that are written: with one
/// thread for both, the run would take twice as long.
final class RowComparison {
  /// The number of bytes of rows that are compared at a time.
  private static let chunkBytes = 1 << 20
  /// The largest number of compared chunks that are not used yet. Of their rows, only those that changed are kept.
  private static let depth = 64

  /// What the thread and its user have in common.
  private final class Queue: Sendable {
    let free = DispatchSemaphore(value: 0)
    let filled = DispatchSemaphore(value: 0)
    /// Signalled when the thread has ended.
    let ended = DispatchSemaphore(value: 0)
    let results = Mutex<[Result<ComparedRows?, RowsError>]>([])
    let isStopped = Atomic<Bool>(false)

    init() {
      // A semaphore must not be released with a smaller value than it was created with.
      for _ in 0..<RowComparison.depth { free.signal() }
    }

    /// Passes a result on. Returns false if the comparison was ended.
    func add(_ result: Result<ComparedRows?, RowsError>) -> Bool {
      free.wait()
      if isStopped.load(ordering: .relaxed) { return false }
      results.withLock { $0.append(result) }
      filled.signal()
      return true
    }

    func stop() {
      isStopped.store(true, ordering: .relaxed)
      free.signal()
    }
  }

  /// What only the thread uses after it was started.
  ///
  /// The user of the comparison reads the hash of the input only after the thread has passed its last result on.
  private final class Input: @unchecked Sendable {
    let rows: any RowsSource
    var index: BaseIndex

    init(_ base: BaseTables, _ rows: any RowsSource) {
      self.rows = rows
      index = BaseIndex(base)
    }
  }

  private let queue = Queue()

  init(_ base: BaseTables, _ rows: any RowsSource) {
    let input = Input(base, rows)
    Thread.detachNewThread { [queue] in
      defer { queue.ended.signal() }
      var isAtEnd = false
      while !isAtEnd {
        let result: Result<ComparedRows?, RowsError>
        do throws(RowsError) { result = .success(try Self.next(input)) } catch { result = .failure(error) }
        if case .success(.some) = result {} else { isAtEnd = true }
        guard queue.add(result) else { return }
      }
    }
  }

  deinit { queue.stop() }

  /// Ends the thread, and returns when it uses the rows no longer. It must be called at most once.
  func stop() {
    queue.stop()
    queue.ended.wait()
  }

  /// Whether the next rows are there already.
  var isReady: Bool { queue.results.withLock { !$0.isEmpty } }

  /// Waits for the next rows. Returns nil after the last ones, and must not be called again after that.
  func next() throws(RowsError) -> ComparedRows? {
    queue.filled.wait()
    defer { queue.free.signal() }
    return try queue.results.withLock { $0.removeFirst() }.get()
  }

  private static func next(_ input: Input) throws(RowsError) -> ComparedRows? {
    guard let chunk = try input.rows.next(bytes: chunkBytes, copy: { OwnedBytes(copying: $0) }) else { return nil }
    var compared = ComparedRows()
    chunk.lines.withBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var line = chunk.firstLine
      while let (text, _) = lines.next() {
        if let row = text.row(inLine: line) {
          compared.add(row, input.index.find(RowHash(row.bytes, hasOwnID: false)), line: line, of: chunk.file)
        }
        line += 1
      }
    }
    compared.bytesRead = input.rows.bytesRead
    return compared
  }
}

extension ComparedRows {
  /// Adds a row at the end.
  ///
  /// - Parameter known: The row of the earlier run that is the same, or nil if the row must be laid out.
  fileprivate mutating func add(_ row: ByteString, _ known: Int?, line: UInt64, of file: String) {
    guard let known else {
      positions.append(LinePosition(file: file, line: line))
      lines += row.bytes
      // A carriage return at the end of the row would otherwise be part of the end of its line.
      if row.bytes.last == 0x0d { lines.append(0x0d) }
      lines.append(UInt8(ascii: "\n"))
      return segments.extend(with: .changed(1))
    }
    segments.extend(with: .taken(known..<known + 1))
  }
}
