import Glibc
import PoolMessages
import ZeroMQ

/// The socket loop around the `Scheduler`: takes chunks of rows from clients, hands jobs to workers, and returns
/// results in row order. With a `Spool`, batches outlive it and their clients. What every message touches here, in its
/// batches, jobs and workers, is as unchecked as in the scheduler: no access lasts over a call that comes back here.
public final class Coordinator {
  /// Bytes of rows that a client may have under way, divided by the number of variants; and of stored results on
  /// their way to a client: less for each the more batches are open.
  var window: Int { min(Self.allWindows / max(batches.count, 1), 16 << 20) }
  private static let allWindows = 64 << 20
  /// Bytes of a frame.
  public static let maxMessageSize: Int64 = 256 << 20
  /// Messages that wait for a peer which does not read; it is then taken to be gone.
  private static let maxUnread: Int32 = 20_000
  /// Between looks at the children, in milliseconds; and where there is no batch, as each costs more then than it does.
  private static let tick = 20
  private static let idleTick = 100
  /// Milliseconds that last messages may take after the end.
  private static let farewell: Int32 = 500
  /// Nanoseconds that clients have for columns which they were told of, after the last batch.
  private static let rest: UInt64 = 5_000_000_000
  /// Messages after which it looks at everything else, however many there are.
  private static let turn = 64
  /// Between pings, in nanoseconds.
  private static let pingEvery: UInt64 = 240_000_000

  /// Where it listens.
  public private(set) var endpoints: [String] = []
  private let socket: Socket
  let scheduler: Scheduler
  let fleet: WorkerFleet?
  let spool: Spool?
  let log: Log
  var isDraining = false
  @exclusivity(unchecked) var workers: [WorkerID: WorkerPeer] = [:]
  @exclusivity(unchecked) var workersByIdentity: [[UInt8]: WorkerPeer] = [:]
  var nextWorker: WorkerID = 1
  /// Connections by which something came that was no result.
  var untrusted: Set<[UInt8]> = []
  static let maxUntrusted = 10_000
  @exclusivity(unchecked) var batches: [BatchID: OpenBatch] = [:]
  var batchesByClient: [OpenBatch.Client: BatchID] = [:]
  var lastBatch: BatchID = 0
  /// Those with results that their clients are to be told of soon.
  @exclusivity(unchecked) var batchesToTell: [OpenBatch] = []
  var programs: ProgramStore
  @exclusivity(unchecked) var jobs: [JobID: OpenJob] = [:]
  /// Columns that clients were told of.
  @exclusivity(unchecked) var handedOver = HandedOver()
  @exclusivity(unchecked) var throughput = Throughput()
  /// What the scheduler wants done; while some of it is, more may come.
  @exclusivity(unchecked) private var actions: ArraySlice<SchedulerAction> = []
  @exclusivity(unchecked) private var isActing = false
  /// Messages that were none.
  private var nonsense = 0

  /// - Parameters:
  ///   - endpoints: where clients and workers connect.
  ///   - door: lets peers in at the tcp endpoints; without it everybody gets in.
  ///   - fleet: worker processes of the coordinator's own, if any.
  ///   - jobDeadline: seconds that a job may take at least before its worker is given up.
  ///   - jobDuration: nanoseconds that a job should take.
  ///   - spool: where batches are kept, if they are.
  ///   - programs: those at hand from the beginning.
  public init(
    _ context: Context, endpoints: [String], door: Door? = nil, fleet: WorkerFleet?, jobDeadline: UInt32 = 10,
    jobDuration: UInt64 = Scheduler.targetDuration, spool: Spool? = nil, programs: ProgramStore = ProgramStore(),
    log: Log
  ) throws(ZeroMQError) {
    // Answers to a coordinator before this one are to no job of this one.
    scheduler = Scheduler(
      patience: jobDeadline, targetDuration: jobDuration, firstJob: Clock.sinceEpoch() << 20)
    socket = try Socket(.router, context)
    try socket.setHighWaterMarks(send: Self.maxUnread, receive: 0)
    try socket.setHeartbeat(interval: 1000, timeout: 5000)
    try socket.setMaxMessageSize(Self.maxMessageSize)
    self.fleet = fleet
    self.spool = spool
    self.programs = programs
    self.log = log
    // What was kept is known before anybody asks for it.
    try recoverBatches()
    self.endpoints = try socket.listen(at: endpoints, context, door: door)
  }

  /// Runs until `shouldStop` says so; then takes no new batches, and finishes the open ones if it `drains` and does not
  /// keep them.
  public func run(drains: Bool = false, shouldStop: () -> Bool) throws(ZeroMQError) {
    var nextLook: UInt64 = 0
    var nextPing: UInt64 = 0
    var restsUntil: UInt64?
    fleet?.start()
    defer { fleet?.stop() }
    while true {
      if shouldStop() {
        if !isDraining && drains && spool == nil {
          log.info("finishing \(batches.count) batches, taking no others")
        }
        isDraining = true
        if !drains || spool != nil { break }
        if batches.isEmpty {
          // Clients open columns by way of this process.
          sweepSharedMemory()
          let end = restsUntil ?? Clock.monotonic() + Self.rest
          if handedOver.isEmpty || Clock.monotonic() > end { break }
          restsUntil = end
        }
      }
      _ = try socket.wait(milliseconds: patience)
      var messages = 0
      while messages < Self.turn, let parts = try socket.receive() {
        messages += 1
        try receive(parts)
      }
      try tellResults()
      let now = Clock.monotonic()
      // What a worker said comes before its end, unless others never stop talking.
      if now >= nextLook && (messages < Self.turn || now >= nextLook + Self.pingEvery) {
        nextLook = now + UInt64(Self.tick) * 1_000_000
        try lookAtFleet()
      }
      if now >= nextPing {
        nextPing = now + Self.pingEvery
        throughput.note(now)
        try ping()
        sweepSharedMemory()
        try cancelAbandonedBatches(now)
        try act(on: .tick(now: now))
      }
    }
    try sayGoodbye()
    // What was said last is still on its way.
    try socket.setLinger(Self.farewell)
  }

  /// Milliseconds that it may wait for messages.
  private var patience: Int {
    if !batchesToTell.isEmpty { return 1 }
    return batches.isEmpty ? Self.idleTick : Self.tick
  }

  private func lookAtFleet() throws(ZeroMQError) {
    for pid in fleet?.reap() ?? [] { try removeWorker(pid: pid) }
    if let reason = fleet?.failure {
      try failBatches(reason)
      fleet?.failure = nil
    }
  }

  private func receive(_ parts: [Frame]) throws(ZeroMQError) {
    guard parts.count >= 2, parts.count <= Envelope.maxParts,
      let envelope = Envelope.decode(PoolToCoordinator.self, parts[1].bytes)
    else { return noteNonsense() }
    let identity = [UInt8](parts[0].bytes)
    let bulk = Array(parts.dropFirst(2))
    switch envelope.sender {
    case .worker(let message)?: try receive(message, bulk, from: identity)
    case .client(let message)?: try receive(message, bulk, from: identity)
    case nil: noteNonsense()
    }
  }

  /// Says so, but not as often as somebody likes to send it.
  private func noteNonsense() {
    nonsense += 1
    guard nonsense == 1 || nonsense % 10_000 == 0 else { return }
    log.warning("a peer sent something that is no message; ignored (\(nonsense) so far)")
  }

  // MARK: Acting

  /// Tells the scheduler what happened, and does what it says, in the order in which it said so.
  func act(on event: SchedulerEvent) throws(ZeroMQError) {
    actions += scheduler.handle(event)
    guard !isActing else { return }
    isActing = true
    defer { isActing = false }
    while let action = actions.popFirst() { try take(action) }
  }

  private func take(_ action: SchedulerAction) throws(ZeroMQError) {
    switch action {
    case .send(let job, let attempt, let worker):
      let batch = jobs[job]?.batch
      try sendJob(job, attempt, to: worker)
      if let batch { try cutMore(batch) }
    case .deliver(_, let job): try deliver(job)
    case .failRow(_, let job): try failRow(job)
    case .split(let job): try split(job)
    case .expire(let worker): expire(worker)
    case .forget(let job):
      // A worker that was shown its lines keeps the rest of it until it answers.
      jobs.removeValue(forKey: job)?.columns = nil
    case .batchDone(let batch, let rows, let cost): try end(batch, rows, cost)
    }
  }

  private func ping() throws(ZeroMQError) {
    var message = PoolToWorker()
    message.ping = .init()
    for peer in workers.values where try send(message, [], to: peer.identity) == .unreachable { try remove(peer) }
    var word = PoolToClient()
    word.ping = .init()
    for batch in batches.values { _ = try tell(batch, word) }
  }

  /// Clients of batches that are kept wait for the next coordinator.
  private func sayGoodbye() throws(ZeroMQError) {
    if spool == nil { try failBatches("the coordinator was told to stop") }
    var message = PoolToWorker()
    message.drain = .init()
    for peer in workers.values { _ = try send(message, [], to: peer.identity) }
  }

  // MARK: Sending

  /// - Parameter head: the beginning of the envelope, of which `message` is the rest.
  func send(
    _ message: PoolToWorker, after head: [UInt8] = [], _ bulk: [Frame], to identity: [UInt8]
  ) throws(ZeroMQError) -> Socket.Sent {
    try socket.send([identity, head + Envelope.encode(message)], bulk)
  }

  func send(_ message: PoolToClient, _ bulk: [Frame], to identity: [UInt8]) throws(ZeroMQError) -> Socket.Sent {
    try socket.send([identity, Envelope.encode(message)], bulk)
  }

  /// Sends to a batch's client, if it has one; whether there is one. A batch that is not kept ends with its client.
  func tell(_ batch: OpenBatch, _ message: PoolToClient, _ bulk: [Frame] = []) throws(ZeroMQError) -> Bool {
    guard let client = batch.client else { return false }
    if try send(message, bulk, to: client.identity) == .sent { return true }
    try lose(batch)
    return false
  }
}
