import PoolMemory
import PoolProtocol
import PoolScheduler

/// A worker that has registered.
final class WorkerConnection {
  let id: WorkerID
  let identity: PeerIdentity
  let holder: KeyHolder
  let process: Int64
  /// The name of its machine.
  let host: String
  /// Nil where the worker does not share memory.
  let channel: CoordinatorMemoryChannel?
  /// See `CoordinatorCore` for the attribute.
  @exclusivity(unchecked) var state = State()

  struct State {
    /// The jobs whose lines the worker was shown and may be reading.
    fileprivate(set) var reading: [(id: JobID, job: OpenJob)] = []
    /// The programs that the worker has, the oldest first, each with the job that it came with until that is answered.
    fileprivate var programs: [(id: ProgramID, bearer: JobID?)] = []
    var rows: UInt64 = 0
    var cacheHitRate = 0.0
  }

  init(
    _ id: WorkerID, _ identity: PeerIdentity, _ holder: KeyHolder, _ hello: WorkerMessage.Hello,
    channel: CoordinatorMemoryChannel?
  ) {
    (self.id, self.identity, self.holder, self.channel) = (id, identity, holder, channel)
    (process, host) = (hello.process, hello.host)
  }

  func has(_ program: ProgramID) -> Bool { state.programs.contains { $0.id == program } }

  /// The worker gets another program with a job, and removes its oldest.
  func noteProgram(_ program: ProgramID, with job: JobID) {
    if state.programs.count == ProtocolLimits.programsOfWorker { state.programs.removeFirst() }
    state.programs.append((program, bearer: job))
  }

  /// The worker could not begin a job, because it lacks the program, or does not see the program or the lines.
  func noteMissing(_ program: ProgramID, of job: JobID, isInvisible: Bool) {
    if isInvisible { channel?.noteInvisible() }
    guard let index = state.programs.firstIndex(where: { $0.id == program }) else { return }
    // What it reports of jobs before the one with which the program came was known then.
    let bearer = state.programs[index].bearer
    if bearer == job || (bearer == nil && !isInvisible) { state.programs.remove(at: index) }
  }

  func noteReading(_ id: JobID, _ job: OpenJob) { state.reading.append((id, job)) }

  /// The worker has replied to a job.
  func noteReply(_ id: JobID) {
    state.reading.removeAll { $0.id == id }
    for index in state.programs.indices where state.programs[index].bearer == id { state.programs[index].bearer = nil }
  }
}
