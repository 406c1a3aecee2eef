import PoolMemory
import PoolProtocol
import PoolScheduler

/// A registered worker.
final class WorkerConnection {
  let id: WorkerID
  let identity: PeerIdentity
  let holder: KeyHolder
  /// What the worker stated when it registered. Its process number can be wrong, or belong to another machine.
  let hello: WorkerMessage.Hello
  /// The process, if the coordinator has started it.
  let ownProcess: Int64?
  /// Nil if the worker does not share memory.
  let channel: CoordinatorMemoryChannel?
  private(set) var state: State

  /// A job without a reply.
  struct SentJob {
    let id: JobID
    /// The time at which it was sent, in nanoseconds.
    let time: UInt64
    /// Whether its lines lie in shared memory instead of the message.
    let isShared: Bool
    /// The job, if its lines lie in the memory of its client, where the worker may be reading them.
    let reading: OpenJob?
  }

  struct State {
    /// The jobs without a reply.
    var sent: [SentJob] = []
    var rows: UInt64 = 0
    var cacheHitRate = 0.0
    /// The time of its last message in nanoseconds.
    var seenAt: UInt64
    /// The number of its replies to jobs that were refused.
    var refusals = 0
    /// Whether the program that it was shown last has files.
    var sawFiles = false
  }

  init(
    _ id: WorkerID, _ identity: PeerIdentity, _ holder: KeyHolder, _ hello: WorkerMessage.Hello, ownProcess: Int64?,
    channel: CoordinatorMemoryChannel?, at now: UInt64
  ) {
    (self.id, self.identity, self.holder, self.hello) = (id, identity, holder, hello)
    (self.ownProcess, self.channel) = (ownProcess, channel)
    state = State(seenAt: now)
  }

  /// The name of the worker in messages for people.
  var name: String { "worker \(id) (process \(hello.origin.process))" }

  /// Records the time of a message.
  func noteMessage(at now: UInt64) { state.seenAt = now }

  /// Records that the worker was shown a program in memory and perhaps in files.
  func noteShown(_ program: SharedProgram) { state.sawFiles = !program.files.isEmpty }

  /// Records that the worker could not map the program that it was shown. Returns whether its files can be the reason; otherwise the
  /// socket carries everything from now on.
  func noteInvisible() -> Bool {
    if !state.sawFiles { channel?.noteInvisible() }
    return state.sawFiles
  }

  /// Records an accepted result.
  func noteResult(rows: UInt32, cacheHitRate: Double) {
    state.rows += UInt64(rows)
    state.cacheHitRate = cacheHitRate
  }

  /// Records a refused reply. Returns the number of refused replies.
  func noteRefusal() -> Int {
    state.refusals += 1
    return state.refusals
  }

  func noteSent(_ job: SentJob) { state.sent.append(job) }

  /// Records a reply to a job. Returns how the job was sent.
  @discardableResult
  func noteReply(_ id: JobID) -> SentJob? {
    state.sent.firstIndex { $0.id == id }.map { state.sent.remove(at: $0) }
  }
}
