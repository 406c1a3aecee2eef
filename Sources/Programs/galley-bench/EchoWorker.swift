import LayoutPool
import PoolMessages
import Synchronization
import ZeroMQ

/// A worker that returns prepared columns for every job immediately, without reading its rows.
final class EchoWorker: Sendable {
  private let socket: Mutex<Socket>
  /// The duration that the worker reports, in nanoseconds per byte.
  private let cost: Double
  /// A function that returns the columns of a job with a number of rows.
  private let columns: @Sendable (Int) -> Frame
  private let count = Atomic<Int>(0)
  private let announced = Atomic<UInt64>(0)
  private let isStopped = Atomic<Bool>(false)

  /// - Parameter cost: The duration that the worker reports in nanoseconds per byte, from which the coordinator
  ///   computes the size of jobs.
  init(_ endpoint: String, cost: Double, columns: @escaping @Sendable (Int) -> Frame) throws {
    let socket = try Socket(.dealer, try Context())
    try socket.connect(endpoint)
    self.socket = Mutex(socket)
    self.cost = cost
    self.columns = columns
  }

  /// The number of jobs returned so far.
  var jobs: Int { count.load(ordering: .relaxed) }

  /// Ends `run` within 100 milliseconds.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Registers at the coordinator and returns jobs until `stop` is called.
  func run() {
    socket.withLock { socket in
      var hello = PoolToCoordinator()
      hello.worker.hello.version = Version.current
      hello.worker.hello.credit = Worker.credit
      let lane = PeerLane()
      if let memory = lane.offer { hello.worker.hello.memory = memory }
      _ = try? socket.send([Envelope.encode(hello)])
      while !isStopped.load(ordering: .relaxed) {
        guard (try? socket.wait(milliseconds: 100)) == true else { continue }
        var job = Self.receive(socket, lane)
        while let (message, lines) = job {
          job = Self.receive(socket, lane)
          answer(message, lines, next: job?.0, socket, lane)
        }
      }
    }
  }

  private static func receive(_ socket: Socket, _ lane: PeerLane) -> (PoolToWorker.Job, Frame)? {
    while let parts = (try? socket.receive()) ?? nil {
      let envelope = parts[0].withBytes { Envelope.decode(PoolToWorker.self, $0) }
      switch envelope?.message {
      case .welcome(let welcome)?: lane.meet(welcome.memory)
      case .job(let job)?:
        if let lines = lane.lines(of: job, parts.last) { return (job, lines) }
      default: break
      }
    }
    return nil
  }

  /// Sends the messages of a job: its start, unless the previous result announced it, and its result.
  private func answer(
    _ job: PoolToWorker.Job, _ lines: Frame, next: PoolToWorker.Job?, _ socket: Socket, _ lane: PeerLane
  ) {
    if job.job != announced.load(ordering: .relaxed) {
      var started = PoolToCoordinator()
      started.worker.started = .with { ($0.job, $0.attempt) = (job.job, job.attempt) }
      _ = try? socket.send([Envelope.encode(started)])
    }
    var result = PoolToCoordinator()
    result.worker.result.job = job.job
    result.worker.result.attempt = job.attempt
    result.worker.result.rows = job.rows
    result.worker.result.duration = UInt64(Double(lines.count) * cost)
    if let next {
      (result.worker.result.nextJob, result.worker.result.nextAttempt) = (next.job, next.attempt)
      announced.store(next.job, ordering: .relaxed)
    }
    let columns = columns(Int(job.rows))
    let left = lane.leave(columns: [columns.count]) { columns.copy(to: $1) }
    if let left { result.worker.result.columns = left }
    result.worker.result.seen = lane.seen
    let bulk = left == nil ? [columns] : []
    _ = try? socket.send([Envelope.encode(result)], bulk)
    count.add(1, ordering: .relaxed)
  }
}
