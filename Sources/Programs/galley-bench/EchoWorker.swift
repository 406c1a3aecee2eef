import Buffers
import Glibc
import PoolEnvelopes
import PoolProtocol
import PoolWorkerCore
import PosixMemory
import Synchronization
import ZeroMQ

/// A worker that replies to every job with columns that have nothing to do with its rows.
final class EchoWorker: Sendable {
  private let socket: Mutex<Socket>
  /// The nanoseconds per byte that it reports. It sleeps as long before it replies to a job, because a coordinator does not believe
  /// a duration that is longer than it has measured itself. Jobs up to `longestTransport` need no sleep: their transport takes as
  /// long.
  private let cost: Double
  /// Returns the columns of a job of so many rows.
  private let columns: @Sendable (Int) -> OwnedBytes
  private let count = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// - Parameter cost: The nanoseconds per byte that it reports, by which the coordinator cuts jobs.
  init(_ endpoint: String, cost: Double, columns: @escaping @Sendable (Int) -> OwnedBytes) throws {
    let socket = try Socket(.dealer, try Context())
    try socket.connect(endpoint)
    self.socket = Mutex(socket)
    self.cost = cost
    self.columns = columns
  }

  var jobs: Int { count.load(ordering: .relaxed) }
  func stop() { isStopped.store(true, ordering: .relaxed) }

  func run() {
    socket.withLock { socket in
      var core = WorkerCore(.init(), endpoint: "", memory: SystemMemory(), at: EventTime(monotonic: 0))
      var job = handle(.started, &core, socket)
      while !isStopped.load(ordering: .relaxed) {
        guard job != nil || (try? socket.wait(milliseconds: 100)) == true else { continue }
        job = receive(&core, socket) ?? job
        if let (order, lines) = job {
          job = handle(layOut(order, lines), &core, socket)
          count.add(1, ordering: .relaxed)
        }
      }
    }
  }

  /// The duration in nanoseconds up to which a job does not sleep.
  private static let longestTransport: UInt64 = 100_000

  private typealias Order = (job: MessageToWorker.Job, lines: OwnedBytes)

  /// Reports all messages that have come. Returns the job to be laid out, if one begins.
  private func receive(_ core: inout WorkerCore, _ socket: Socket) -> Order? {
    var order: Order?
    while let parts = (try? socket.receive()) ?? nil {
      guard let message = parts.first?.withBytes({ MessageToWorker(envelope: $0) }) else { continue }
      order = handle(.message(message, parts.dropFirst().map(\.ownedBytes)), &core, socket) ?? order
    }
    return order
  }

  private func layOut(_ job: MessageToWorker.Job, _ lines: OwnedBytes) -> WorkerEvent {
    let columns = columns(Int(job.chunk.rows))
    let duration = UInt64(Double(lines.count) * cost)
    if duration > Self.longestTransport { usleep(UInt32(duration / 1000)) }
    let result = WorkerMessage.Result(
      job: job.reference, rows: job.chunk.rows, duration: duration, cacheHitRate: 0)
    return .laidOut(result, sizes: [columns.count]) { columns.copy(to: $1) }
  }

  /// Returns the job to be laid out, if one begins.
  private func handle(_ event: WorkerEvent, _ core: inout WorkerCore, _ socket: Socket) -> Order? {
    var effects: [WorkerEffect] = []
    // Time does not matter: the coordinator of a benchmark does not go away.
    core.handle(event, at: EventTime(monotonic: 0), into: &effects)
    var order: Order?
    for effect in effects {
      switch effect {
      case .send(let message, let parts):
        _ = try? socket.send([message.encoded()], parts.map { MessagePart.sharing($0) })
      case .layOut(let job, let lines): order = (job, lines)
      case .load, .unload, .log, .end: break
      }
    }
    return order
  }
}
