import Buffers
import PoolClientCore
import PoolCoordinatorCore
import PoolMemory
import PoolProtocol
import PoolScheduler
import PoolWorkerCore
import SeededRandom

/// A pool in miniature. The product's own cores of a coordinator, of workers and of clients run over a simulated network,
/// shared memory, disk and processes, which do to them whatever a seed says.
///
/// Every step is one move of somebody, drawn from those that are possible. Only so many faults happen, so that every batch
/// must come to its end: with the tables of one process, with the rows lost that were made to end workers, or with an
/// error that a fault excuses.
public final class PoolSimulation {
  /// The number of steps after which a run counts as stuck.
  private static let maxSteps = 30_000
  static let second: UInt64 = 1_000_000_000

  var random: SplitMix
  let machine = SimulatedMachine()
  let configuration: CoordinatorCore.Configuration
  /// Whether messages are encoded and decoded on their way.
  let encodesMessages: Bool
  /// The bytes of shared memory of each channel.
  let channelBytes: Int
  /// The longest duration of a job in nanoseconds.
  let longestJob: Int

  var coordinator: SimulatedCoordinator?
  var coordinatorProcess: Int64 = 0
  var coordinatorHasEnded = false
  var disk = SimulatedDisk()
  var connections: [PeerIdentity: SimulatedConnection] = [:]
  var workers: [Int: SimulatedWorker] = [:]
  var clients: [Int: SimulatedClient] = [:]
  var batches: [SimulatedBatch] = []
  var faults: SimulatedFaults
  /// Nanoseconds.
  var now: UInt64 = 1
  /// The nanoseconds that the coordinator's clock is ahead of the others'.
  var clockOffset: UInt64 = 0
  var lastPeer = 0
  var lastProcess: Int64 = 0
  var lastConnection: UInt32 = 0
  /// The coordinator's own processes that have ended, of which it does not know yet.
  var endedProcesses: [Int64] = []
  /// The number of batches whose clients have begun.
  var begunBatches = 0
  /// What happened to the coordinator while its effects were performed, to be reported after them.
  var events: [CoordinatorEvent] = []
  var effects: [CoordinatorEffect] = []
  /// What the coordinator has done since its start.
  var counts = SimulatedCounts()

  /// The rows that each connection was sent with no others in their job.
  var sentAlone: [PeerIdentity: [(batch: Int, row: UInt64)]] = [:]
  /// The time of the coordinator's clock until which it does not accept workers of the faulty machine.
  var distrustedUntil: UInt64 = 0
  /// The connections whose workers ended or will be given up by chance.
  var unlucky: Set<PeerIdentity> = []

  /// What went wrong first.
  private(set) var flaw: String?
  private var trace: [String]?
  /// The faults that happened, by kind.
  public private(set) var faultCounts: [String: Int] = [:]
  public private(set) var steps = 0

  public init(seed: UInt64, isTraced: Bool = false) {
    trace = isTraced ? [] : nil
    random = SplitMix(seed: seed)
    encodesMessages = seed % 4 == 0
    longestJob = random.below(3) == 0 ? 200_000 : 20_000_000
    channelBytes = MemoryRegion.headerSize + [100, 3_000, 200_000][random.below(3)]
    var configuration = CoordinatorCore.Configuration()
    configuration.jobDeadline = 1
    configuration.keepsBatches = random.below(3) > 0
    configuration.processes = random.below(2) == 0 ? 3 : 0
    if random.below(2) == 0 {
      configuration.flowControl.allWindows = 20_000
      configuration.flowControl.largestWindow = 3_000
      configuration.flowControl.smallestWindow = 600
      configuration.flowControl.firstChunk = 1_000
      configuration.flowControl.largestChunk = Self.largestChunk
      configuration.flowControl.queuedJobs = 2
      configuration.flowControl.queuedJobsPerWorker = 1
    }
    self.configuration = configuration
    faults = SimulatedFaults(&random, keepsBatches: configuration.keepsBatches)
    disk.isSlow = configuration.keepsBatches && random.below(3) == 0
    // Some programs come in several parts, and some in more than one window of them.
    let programPadding = [0, 0, 0, ProtocolLimits.programPartBytes, 3 * ProtocolLimits.programWindow][random.below(5)]
    let programs = (0..<1 + random.below(2)).map {
      OwnedBytes(copying: Array("program \($0)".utf8) + [UInt8](repeating: 0, count: programPadding))
    }
    for number in 1...UInt32(1 + random.below(3)) {
      let isDetached = configuration.keepsBatches && random.below(3) == 0
      batches.append(
        SimulatedBatch(
          number: number, programs: programs, plan: isDetached ? .submitAndFetch : .run,
          resendsRows: configuration.keepsBatches && !isDetached && random.below(3) == 0, &random))
    }
    startCoordinator()
    if configuration.processes == 0 { for _ in 0..<3 { addWorker(isOwn: false) } }
  }

  /// Returns what went wrong with a seed, and how it came to that.
  public static func trace(seed: UInt64) -> String {
    let again = PoolSimulation(seed: seed, isTraced: true)
    let flaw = again.run() ?? "nothing when it was run again"
    return "seed \(seed): \(flaw)\n" + (again.trace ?? []).joined(separator: "\n")
  }

  /// Plays until all batches have ended, and everybody has. Returns what went wrong.
  public func run() -> String? {
    while flaw == nil && !areBatchesOver {
      guard steps < Self.maxSteps else { return "batches do not end" }
      step()
      steps += 1
      checkBounds()
    }
    if flaw == nil { finish() }
    return flaw
  }

  func fail(_ reason: String) {
    note("FAILED: \(reason)")
    if flaw == nil { flaw = reason }
  }

  func note(_ event: @autoclosure () -> String) { trace?.append("\(now / 1_000_000) ms: " + event()) }

  func count(_ fault: SimulatedFaults.Kind) { faultCounts["\(fault)", default: 0] += 1 }

  func happens(oneIn count: Int) -> Bool { random.below(count) == 0 }

  func newProcess() -> Int64 {
    lastProcess += 1
    return lastProcess
  }

  func memory(of process: Int64) -> SimulatedMemorySystem {
    SimulatedMemorySystem(machine: machine, process: process, channelBytes: channelBytes)
  }

  func connect(_ peer: Int, _ holder: KeyHolder = .withoutKey) -> SimulatedConnection {
    lastConnection += 1
    let connection = SimulatedConnection(lastConnection, peer: peer, holder)
    connections[connection.identity] = connection
    return connection
  }
}
