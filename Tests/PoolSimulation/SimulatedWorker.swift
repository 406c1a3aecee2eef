import Buffers
import PoolProtocol
import PoolWorkerCore

/// What a worker does instead of replying as it should.
enum WorkerFault: CaseIterable {
  case tooManyRows, malformedColumns, missingVariant, otherAttempt, otherJob, longDuration, sentTwice, tooLarge
  /// A bit of the columns changes on its way, or the worker computes values that no layout has.
  case flippedBit, absurdValue
  /// The worker returns a job that it could lay out: as damaged, without its lines, or because it cannot use the program.
  case reportsDamage, reportsMissingLines, reportsUnusableProgram
}

/// A worker process: the product's core, with a layout that takes a step of the simulation.
final class SimulatedWorker {
  let process: Int64
  /// The number with which the worker registers.
  let session: UInt64
  var core: WorkerCore
  let memory: SimulatedMemorySystem
  /// Whether the coordinator started the process.
  let isOwn: Bool
  var isAlive = true
  /// The time before which the process does nothing, in nanoseconds.
  var stoppedUntil: UInt64 = 0
  /// The steps that a job takes beyond those that it needs.
  var slowness = 0
  var delay = 0
  var fault: WorkerFault?
  /// Whether the machine changes bits of all columns, also of a process that is started in the place of this one.
  let isOnFaultyMachine: Bool
  /// Whether the process ends at whatever it begins. That counts for no row.
  var isUnfit = false
  /// Whether a fault has happened: the worker may not have sent what it left in its memory.
  var hasMisbehaved = false
  /// The job that is laid out.
  var order: (job: MessageToWorker.Job, lines: OwnedBytes)?
  /// The programs that are loaded.
  var programs: Set<ProgramID> = []
  var connection: SimulatedConnection?
  /// The holder of the key of the faulty machine. Other workers have no key.
  static let keyOfFaultyMachine = KeyHolder(name: "faulty", role: .worker)
  var holder: KeyHolder { isOnFaultyMachine ? Self.keyOfFaultyMachine : .withoutKey }
  /// Bytes.
  static let memoryLimit = 1 << 30

  /// - Parameter statedProcess: The number of the process that the worker states, which may belong to another process.
  init(
    _ process: Int64, statedProcess: Int64, host: String, isOnFaultyMachine: Bool, memory: SimulatedMemorySystem,
    isOwn: Bool, at now: UInt64
  ) {
    (self.process, self.memory, self.isOwn) = (process, memory, isOwn)
    self.isOnFaultyMachine = isOnFaultyMachine
    session = UInt64(process) &* 0x9e37_79b9_7f4a_7c15
    core = WorkerCore(
      .init(origin: PeerOrigin(host: host, process: statedProcess), session: session), endpoint: "",
      memoryLimit: Self.memoryLimit, memory: memory, at: EventTime(monotonic: now))
  }

  /// The rows of a job as its lines name them; nil when the header and the lines do not agree.
  static func rows(of job: MessageToWorker.Job, _ lines: OwnedBytes) -> [Row]? {
    var rows: [Row] = []
    var number = job.chunk.firstLine
    let isRight = lines.withBytes { bytes in
      var walk = Lines(ByteString(bytes))
      while let (line, _) = walk.next() {
        defer { number += 1 }
        guard let row = line.row(inLine: number) else { continue }
        let fields = String(decoding: row.bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count >= 4, let batch = UInt32(fields[1]), let index = UInt64(fields[2]),
          UInt64(fields[3]) == number, index == job.chunk.firstRow + UInt64(rows.count)
        else { return false }
        rows.append(
          Row(batch: batch, index: index, poison: fields[0] == "d" ? .deadly : fields[0] == "e" ? .endless : nil))
      }
      return true
    }
    return isRight && rows.count == Int(job.chunk.rows) ? rows : nil
  }

  struct Row {
    let batch: UInt32
    let index: UInt64
    let poison: Poison?
  }
}
