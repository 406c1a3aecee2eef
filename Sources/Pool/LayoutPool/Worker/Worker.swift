import BatchLayout
import Buffers
import CellTemplates
import Glibc
import PoolMessages
import ZeroMQ

/// A worker process: takes jobs from the coordinator, lays them out one after the other, and answers with columns.
public final class Worker {
  /// Jobs that it takes at a time: the coordinator decides how many it has of them.
  public static let credit = UInt32(ReadyWorkers.maxCredit)
  /// Messages that wait: at most two of a job, and what else is said.
  private static let maxUnread: Int32 = 32
  /// Programs kept ready.
  static let maxPrograms = 4
  /// Milliseconds of silence after which it says hello again, in case the coordinator is a new one; and after which
  /// it gives up.
  private static let impatience = 2000
  private static let patience = 30_000

  private let socket: Socket
  private let cells: CellRegistry
  private let cacheBudget: Int
  private let memoryLimit: Int
  private var programs: [(id: [UInt8], program: LoadedProgram)] = []
  /// A message that was looked at before its turn, and the job that was said to begin with the last result.
  private var ahead: (PoolToWorker, [Frame])?
  private var announced: UInt64?
  /// Made when it says hello.
  private lazy var lane = PeerLane()
  private let log: Log

  /// A program with what lays out its cells.
  private final class LoadedProgram {
    let program: CellProgram
    var layout: JobLayout?
    // The program reads its fonts from here.
    private let frame: Frame

    init(_ frame: Frame) throws(CellError) {
      self.frame = frame
      program = try CellProgram(ProgramArchive(ByteString(frame.bytes)))
    }
  }

  /// - Parameters:
  ///   - keys: needed where the coordinator lets in by key.
  ///   - cells: cell classes beside those of the programs.
  ///   - cacheBudget: bytes for measured texts.
  ///   - memoryLimit: resident bytes above which it ends after a job, for another to take its place.
  public init(
    _ context: Context, endpoint: String, keys: ClientKeys? = nil, cells: CellRegistry, cacheBudget: Int,
    memoryLimit: Int, log: Log
  ) throws(ZeroMQError) {
    socket = try Socket(.dealer, context)
    try socket.setHighWaterMarks(send: Self.maxUnread, receive: Self.maxUnread)
    try socket.setHeartbeat(interval: 1000, timeout: 5000)
    try socket.setMaxMessageSize(Coordinator.maxMessageSize)
    try socket.setLinger(1000)
    try socket.connect(endpoint, keys)
    self.cells = cells
    self.cacheBudget = cacheBudget
    self.memoryLimit = memoryLimit
    self.log = log
  }

  /// How it ended.
  public enum End: Equatable {
    case drained
    case refused(String)
    case coordinatorGone
    /// It had grown beyond its memory limit.
    case grown
  }

  /// Works until it is told to stop or the coordinator is gone.
  public func run(shouldStop: () -> Bool) throws(ZeroMQError) -> End {
    try sayHello()
    var silence = 0
    var end = End.drained
    while !shouldStop() && end != .grown {
      let wait = 100
      guard try socket.wait(milliseconds: wait) else {
        silence += wait
        lane.forgetOthers()
        if silence >= Self.patience { return .coordinatorGone }
        if silence % Self.impatience == 0 { try sayHello() }
        continue
      }
      silence = 0
      while !shouldStop(), let (message, bulk) = try next() {
        if let end = try take(message, bulk) { return end }
        if ResidentMemory.bytes > memoryLimit {
          log.info("it has \(ResidentMemory.bytes >> 20) MiB, which is over its limit: another takes its place")
          end = .grown
          break
        }
      }
    }
    var goodbye = PoolToCoordinator()
    goodbye.worker.goodbye = .init()
    _ = try socket.send([Envelope.encode(goodbye)])
    return end
  }

  private func sayHello() throws(ZeroMQError) {
    var hello = PoolFromWorker()
    hello.hello.version = Version.current
    hello.hello.pid = Int64(getpid())
    hello.hello.credit = Self.credit
    let lane = PeerLane()
    if let memory = lane.offer { hello.hello.memory = memory }
    var envelope = PoolToCoordinator()
    envelope.worker = hello
    // When the queue is full nobody is there to read, and enough greetings wait already.
    if try socket.send([Envelope.encode(envelope)]) == .sent { self.lane = lane }
  }

  /// The next message that is one, if any is there.
  private func next() throws(ZeroMQError) -> (PoolToWorker, [Frame])? {
    if let message = ahead {
      ahead = nil
      return message
    }
    while let parts = try socket.receive() {
      if let envelope = parts.first?.withBytes({ Envelope.decode(PoolToWorker.self, $0) }) {
        return (envelope, Array(parts.dropFirst()))
      }
      log.warning("the coordinator sent something that is no message; ignored")
    }
    return nil
  }

  private func take(_ message: PoolToWorker, _ bulk: [Frame]) throws(ZeroMQError) -> End? {
    switch message.message {
    case .job(let job)?: try layOut(job, bulk)
    case .refused(let refused)?: return .refused(refused.reason)
    case .drain?: return .drained
    case .welcome(let welcome)?: lane.meet(welcome.memory)
    case .ping?, nil: break
    }
    return nil
  }

  private func layOut(_ job: PoolToWorker.Job, _ bulk: [Frame]) throws(ZeroMQError) {
    let programs = bulk.dropLast(job.hasLines ? 0 : 1)
    guard bulk.count == programs.count + (job.hasLines ? 0 : 1), programs.count <= 1 else { return }
    guard let lines = lane.lines(of: job, bulk.last) else { return try sendMissing(job, unseen: true) }
    var program = programs.first
    if job.hasProgramBytes && loaded([UInt8](job.program)) == nil {
      program = lane.program(job.programBytes)
      if program == nil { return try sendMissing(job, unseen: true) }
    }
    let layout: JobLayout
    switch self.layout(job, program: program) {
    case .success(let found?): layout = found
    case .success(nil): return try sendMissing(job)
    case .failure(let error):
      var failure = PoolFromWorker()
      failure.failure.job = job.job
      failure.failure.attempt = job.attempt
      failure.failure.reason = "the program cannot be used: \(error.description)"
      return try send(failure)
    }
    if announced != job.job {
      var started = PoolFromWorker()
      started.started = .with { ($0.job, $0.attempt) = (job.job, job.attempt) }
      try send(started)
    }
    announced = nil

    // Whatever a row does, it does not hold a worker for ever: SIGALRM ends the process.
    alarm(job.deadline)
    defer { alarm(0) }
    let begin = Clock.monotonic()
    let rows = lines.withBytes { lines in
      layout.layout(
        JobLayout.Job(lines: ByteString(lines), firstLine: job.firstLine, firstRow: job.firstRow, file: job.file))
    }
    let (columns, left) = layout.leaveColumns(in: lane)
    var result = PoolFromWorker()
    result.result.job = job.job
    result.result.attempt = job.attempt
    result.result.rows = UInt32(truncatingIfNeeded: rows)
    if let left { result.result.columns = left }
    result.result.seen = lane.seen
    result.result.duration = Clock.monotonic() - begin
    result.result.cacheHitRate = layout.cacheHitRate
    ahead = try next()
    if case .job(let next)? = ahead?.0.message {
      // Saves a message of its own.
      (result.result.nextJob, result.result.nextAttempt) = (next.job, next.attempt)
      announced = next.job
    }
    try send(result, columns)
  }

  private func sendMissing(_ job: PoolToWorker.Job, unseen: Bool = false) throws(ZeroMQError) {
    var missing = PoolFromWorker()
    missing.missing.job = job.job
    missing.missing.attempt = job.attempt
    missing.missing.unseen = unseen
    try send(missing)
  }

  private func loaded(_ id: [UInt8]) -> LoadedProgram? { programs.first { $0.id == id }?.program }

  /// What lays out the job's variants; nil when its program is neither here nor with the job.
  private func layout(_ job: PoolToWorker.Job, program frame: Frame?) -> Result<JobLayout?, CellError> {
    do throws(CellError) {
      let id = [UInt8](job.program)
      if let frame, loaded(id) == nil {
        if programs.count == Self.maxPrograms { programs.removeFirst() }
        programs.append((id, try LoadedProgram(frame)))
      }
      guard let loaded = loaded(id) else { return .success(nil) }
      let variants = job.variants.map(\.variant)
      if let layout = loaded.layout {
        layout.change(to: variants)
        return .success(layout)
      }
      let layout = try JobLayout(loaded.program, cells: cells, variants: variants, cacheBudget: cacheBudget)
      loaded.layout = layout
      return .success(layout)
    } catch {
      return .failure(error)
    }
  }

  private func send(_ message: PoolFromWorker, _ bulk: [Frame] = []) throws(ZeroMQError) {
    var envelope = PoolToCoordinator()
    envelope.worker = message
    // The queue is only full when the coordinator does not read: then there is nothing better to do than wait.
    while try socket.send([Envelope.encode(envelope)], bulk) == .full {
      usleep(1000)
      // Fails when the coordinator lets this worker in no more.
      _ = try socket.wait(milliseconds: 0)
    }
  }
}
