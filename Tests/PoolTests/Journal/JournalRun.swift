import Buffers
import Hashing
import LayoutEngine
import PoolEnvelopes
import PoolProtocol
import PoolScheduler

@testable import PoolCoordinatorCore

/// A coordinator with one batch, whose journal is an array of bytes, and with a worker that replies at once.
final class JournalRun {
  static let description = CoordinatorUnderTest.description
  private static let fetcher: PeerIdentity = [3]
  private static let worker: PeerIdentity = [2]
  private static let lost = UInt64.max

  private(set) var journal: [UInt8]
  /// The first byte of each record, and whether it has rows or their end.
  private(set) var records: [(offset: Int, hasRows: Bool)] = []
  private(set) var logs: [String] = []
  /// The rows that were delivered; nil stands for a bad row.
  private(set) var rows: [UInt64?] = []
  private(set) var end: String?
  private(set) var isSetAside = false
  private var core: CoordinatorCore
  private var now: UInt64 = 1_000_000_000
  private var events: [CoordinatorEvent] = []
  private var batch: BatchID = 0
  /// The number of jobs to which the worker still replies.
  private var replies = Int.max

  private init(_ journal: [UInt8]) {
    self.journal = journal
    var configuration = CoordinatorCore.Configuration()
    configuration.keepsBatches = true
    configuration.programs = [(Self.description.program, [OwnedBytes(copying: [1])])]
    let format = LayoutFormat(
      flaw: { _, _ in nil },
      failedRows: { rows, _ in Self.columns(rows.map { _ in Self.lost }) })
    core = CoordinatorCore(
      configuration, memory: NoMemory(), format: format, startedAt: EventTime(monotonic: now, sinceEpoch: 1000))
  }

  // MARK: Runs

  /// Writes the journal of a detached batch with chunks of so many rows, and with the results of the first jobs.
  static func write(chunks: Int, rowsOfChunk: UInt64, results: Int, isComplete: Bool = true) -> JournalRun {
    let run = JournalRun([])
    run.replies = results
    run.register()
    run.send(
      .submit(
        .init(
          version: Version.current, batch: 1, description: description, isDetached: true, memory: .none, session: 5)))
    for chunk in 0..<UInt64(chunks) {
      let rows = chunk * rowsOfChunk..<(chunk + 1) * rowsOfChunk
      let isLast = isComplete && chunk + 1 == chunks
      let lines = CoordinatorUnderTest.lines(rows)
      run.send(CoordinatorUnderTest.chunk(rows, isLast: isLast, checksum: lines.checksum), [lines])
    }
    return run
  }

  /// Recovers a journal, and fetches its batch until that ends, or for a quarter of an hour.
  static func recover(_ journal: [UInt8]) -> JournalRun {
    let run = JournalRun(journal)
    run.batch = 77
    run.register()
    let (contents, size) = JournalFormat.scan(size: journal.count) { run.read($0) }
    if size > 0 { run.journal = Array(journal[..<size]) }
    run.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil), bytes: run.journal.count)]))
    run.send(
      .attach(
        .init(
          version: Version.current, batch: 1, name: BatchName.text(77), firstRow: 0, memory: .none, session: 6,
          attempt: 1, sendsRows: false)), from: fetcher)
    for _ in 0..<180 where run.end == nil {
      run.now += 5_000_000_000
      run.handle(.tick)
    }
    return run
  }

  // MARK: Events

  private func register() {
    handle(.message(.worker(.hello(.init(credit: 1))), [], from: Self.worker))
  }

  private func send(
    _ message: ClientMessage, _ parts: [OwnedBytes] = [], from client: PeerIdentity = CoordinatorUnderTest.client
  ) {
    handle(.message(.client(message), parts, from: client))
  }

  private func handle(_ event: CoordinatorEvent) {
    events.append(event)
    while !events.isEmpty {
      var effects: [CoordinatorEffect] = []
      let time = EventTime(monotonic: now, sinceEpoch: 1000 + now / 1_000_000)
      core.handle(events.removeFirst(), at: time, into: &effects)
      for effect in effects { perform(effect) }
    }
  }

  private func perform(_ effect: CoordinatorEffect) {
    switch effect {
    case .journal(.createJournal(let id, let description, _)):
      batch = id
      _ = append(.batch(.current, description))
      events.append(.journalCreated(id, bytes: journal.count))
    case .journal(.append(let id, let record, _)): events.append(.appended(id, append(record), bytes: journal.count))
    case .journal(.read(let id, let ranges)): events.append(.read(id, ranges.map { read($0) }))
    case .journal(.setAsideJournal): isSetAside = true
    case .log(.info, _): break
    case .log(_, let message): logs.append(message)
    case .sendToWorker(.job(let job), let parts, _): reply(to: job, lines: parts.last)
    case .sendToClient(.rows(_, let runs), let parts, _):
      for _ in runs { rows += parts.first.map { Self.rows(of: $0) } ?? [] }
      if let last = runs.last {
        events.append(
          .message(
            .client(.acknowledge(batch: 1, rows: last.firstRow + UInt64(last.rows), seenToken: 0)), [],
            from: Self.fetcher))
      }
    case .sendToClient(.done, _, _): end = "done"
    case .sendToClient(.failed(_, let reason), _, Self.fetcher): end = "failed: \(reason)"
    default: break
    }
  }

  private func append(_ record: JournalRecord<OwnedBytes>) -> [JournalRange] {
    let encoded = JournalFormat.encode(record, at: journal.count)
    let hasRows =
      switch record {
      case .chunk, .end: true
      case .batch, .result: false
      }
    records.append((journal.count, hasRows))
    for part in encoded.bytes { part.withBytes { journal += $0 } }
    return encoded.parts
  }

  private func read(_ range: JournalRange) -> OwnedBytes {
    OwnedBytes(copying: Array(journal[range]))
  }

  // MARK: Rows

  private func reply(to job: MessageToWorker.Job, lines: OwnedBytes?) {
    guard replies > 0, let lines else { return }
    replies -= 1
    let text = lines.withBytes { String(decoding: $0, as: UTF8.self) }
    let rows = text.split(separator: "\n").map { UInt64($0.filter(\.isNumber)) ?? Self.lost }
    let columns = Self.columns(rows)
    let result = WorkerMessage.Result(
      job: job.reference, rows: UInt32(rows.count), duration: 1000, cacheHitRate: 0, checksums: [columns.checksum])
    events.append(.message(.worker(.result(result)), [columns], from: Self.worker))
  }

  private static func columns(_ rows: [UInt64]) -> OwnedBytes {
    OwnedBytes(copying: rows.flatMap { row in withUnsafeBytes(of: row) { Array($0) } })
  }

  private static func rows(of columns: OwnedBytes) -> [UInt64?] {
    columns.withBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { offset in
        let row = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return row == lost ? nil : row
      }
    }
  }
}
