import Buffers
import LayoutEngine
import PoolCoordinatorCore
import PoolEnvelopes
import PoolProtocol
import PoolScheduler
import SeededRandom

/// The disk of a simulated coordinator: journals as bytes, of which a failure of the machine loses what was not
/// synchronized, and operations that take time.
struct SimulatedDisk {
  struct File {
    var bytes: [UInt8] = []
    /// The number of bytes that survive a failure of the machine.
    var synchronized = 0
    var variants: [Variant] = []
    /// The first rows of the results that are in the journal.
    var results: Set<UInt64> = []
  }

  private(set) var files: [BatchID: File] = [:]
  private var programs: [ProgramID: OwnedBytes] = [:]
  /// The operations that are under way, by batch in order.
  private var queues: [BatchID: [JournalEffect]] = [:]
  /// The time in nanoseconds until which the disk is full.
  var fullUntil: UInt64 = 0
  var isFull = false
  /// The time in nanoseconds until which journals cannot be read, as by a process with too many open files.
  var unreadableUntil: UInt64 = 0
  var isUnreadable = false
  /// Whether operations end later than they begin.
  var isSlow = false
  /// The number of journals that could not be used.
  private(set) var setAside = 0

  /// Begins an operation. Returns what comes of it, if that is known at once.
  mutating func begin(_ effect: JournalEffect) -> CoordinatorEvent? {
    switch effect {
    case .createJournal(let batch, _, _), .append(let batch, _, _), .read(let batch, _):
      guard isSlow || queues[batch]?.isEmpty == false else { return perform(effect) }
      queues[batch, default: []].append(effect)
    case .removeJournal(let batch):
      files[batch] = nil
      queues[batch] = nil
    case .setAsideJournal(let batch):
      files[batch] = nil
      queues[batch] = nil
      setAside += 1
    case .removePrograms(let ids): programs = programs.filter { ids.contains($0.key) }
    case .recoverJournal(let batch): if files[batch] != nil { return .recovered([recover(batch)]) }
    }
    return nil
  }

  /// The batches with operations under way.
  var busyBatches: [BatchID] { queues.filter { !$0.value.isEmpty }.keys.sorted() }

  /// Ends the first operation of a batch.
  mutating func finish(_ batch: BatchID) -> CoordinatorEvent? {
    guard let effect = queues[batch]?.first else { return nil }
    queues[batch]?.removeFirst()
    return perform(effect)
  }

  private mutating func perform(_ effect: JournalEffect) -> CoordinatorEvent? {
    switch effect {
    case .createJournal(let batch, let description, let program):
      if isFull { return failure(.create, of: batch) }
      if let program { programs[description.program] = program }
      files[batch] = File()
      append(.batch(.current, description), to: batch)
      return .journalCreated(batch, bytes: files[batch]?.bytes.count ?? 0)
    case .append(let batch, let record, let synchronizes):
      if isFull { return failure(.append, of: batch) }
      let parts = append(record, to: batch)
      if synchronizes, let size = files[batch]?.bytes.count { files[batch]?.synchronized = size }
      return .appended(batch, parts, bytes: files[batch]?.bytes.count ?? 0)
    case .read(let batch, let ranges): return .read(batch, ranges.map { read($0, of: batch) })
    default: return nil
    }
  }

  private func failure(_ operation: JournalOperation, of batch: BatchID) -> CoordinatorEvent {
    .journalFailed(batch, operation, reason: "the disk is full", canPass: true)
  }

  @discardableResult
  private mutating func append(_ record: JournalRecord<OwnedBytes>, to batch: BatchID) -> [JournalRange] {
    guard var file = files.removeValue(forKey: batch) else { return [] }
    switch record {
    case .batch(_, let description): file.variants = description.variants
    case .result(let run): file.results.insert(run.firstRow)
    case .chunk, .end: break
    }
    let encoded = JournalFormat.encode(record, at: file.bytes.count)
    for part in encoded.bytes { part.withBytes { file.bytes += $0 } }
    files[batch] = file
    return encoded.parts
  }

  private func read(_ range: JournalRange, of batch: BatchID) -> OwnedBytes {
    let bytes = files[batch]?.bytes ?? []
    return OwnedBytes(copying: Array(bytes[range.clamped(to: bytes.indices)]))
  }

  /// Whether a journal has the results that begin with a row of the batch with these variants.
  func hasResults(of variants: [Variant], firstRow: UInt64) -> Bool {
    files.values.contains { $0.variants == variants && $0.results.contains(firstRow) }
  }

  // MARK: Failures

  /// The coordinator's process ends. Of operations under way, one per batch may have been done, or in part.
  mutating func loseProcess(_ random: inout SplitMix) {
    for batch in busyBatches {
      switch random.below(3) {
      case 0: _ = finish(batch)
      case 1:
        guard case .append(_, let record, _)? = queues[batch]?.first, let size = files[batch]?.bytes.count else {
          break
        }
        append(record, to: batch)
        let written = (files[batch]?.bytes.count ?? size) - size
        files[batch]?.bytes.removeLast(random.below(written + 1))
      default: break
      }
    }
    queues = [:]
    isFull = false
  }

  /// The machine fails. What was not synchronized is lost, in part.
  mutating func loseUnsynchronizedBytes(_ random: inout SplitMix) {
    for batch in files.keys.sorted() {
      guard var file = files[batch] else { continue }
      let unsynchronized = file.bytes.count - file.synchronized
      file.bytes.removeLast(random.below(unsynchronized + 1))
      files[batch] = file
    }
  }

  /// Changes a bit of a journal, as a faulty disk does. Returns the variants of its batch.
  mutating func damage(_ random: inout SplitMix) -> [Variant]? {
    guard let batch = files.keys.sorted().randomElement(using: &random), var file = files[batch],
      file.bytes.count > 200
    else { return nil }
    file.bytes[random.below(file.bytes.count)] ^= UInt8(1 << random.below(8))
    files[batch] = file
    return file.variants
  }

  /// Reads all journals, as a coordinator does when it starts.
  mutating func recover() -> [RecoveredBatch] {
    var batches: [RecoveredBatch] = []
    for batch in files.keys.sorted() { batches.append(recover(batch)) }
    return batches
  }

  private mutating func recover(_ batch: BatchID) -> RecoveredBatch {
    let bytes = files[batch]?.bytes ?? []
    if isUnreadable { return RecoveredBatch(batch, .unreadable(reason: "Too many open files"), bytes: bytes.count) }
    let (contents, size) = JournalFormat.scan(size: bytes.count) { range in
      OwnedBytes(copying: Array(bytes[range]))
    }
    let synchronized = files[batch]?.synchronized ?? 0
    files[batch] = File(
      bytes: Array(bytes[..<size]), synchronized: min(synchronized, size),
      variants: contents.batch?.description.variants ?? [], results: Set(contents.results.keys))
    let program = contents.batch.flatMap { programs[$0.description.program] }
    return RecoveredBatch(batch, .read(contents, program: program), bytes: size)
  }
}
