import PoolMemory
import PoolProtocol
import PoolScheduler

/// A worker that has registered.
final class WorkerConnection {
  let id: WorkerID
  let identity: PeerIdentity
  let process: Int64
  /// Nil where the worker does not share memory.
  let channel: CoordinatorMemoryChannel?
  /// The jobs whose lines the worker was shown and may be reading.
  private(set) var reading: [(id: JobID, job: OpenJob)] = []
  /// The programs that the worker has, the oldest first, each with the job that it came with until that is answered.
  private var programs: [(id: ProgramID, bearer: JobID?)] = []
  var rows: UInt64 = 0
  var cacheHitRate = 0.0

  init(_ id: WorkerID, _ identity: PeerIdentity, process: Int64, channel: CoordinatorMemoryChannel?) {
    (self.id, self.identity, self.process, self.channel) = (id, identity, process, channel)
  }

  func has(_ program: ProgramID) -> Bool { programs.contains { $0.id == program } }

  /// The worker gets another program with a job, and removes its oldest.
  func noteProgram(_ program: ProgramID, with job: JobID) {
    if programs.count == ProtocolLimits.programsOfWorker { programs.removeFirst() }
    programs.append((program, bearer: job))
  }

  /// The worker could not begin a job, because it lacks the program, or does not see the program or the lines.
  func noteMissing(_ program: ProgramID, of job: JobID, isInvisible: Bool) {
    if isInvisible { channel?.noteInvisible() }
    guard let index = programs.firstIndex(where: { $0.id == program }) else { return }
    // What it reports of jobs before the one with which the program came was known then.
    let bearer = programs[index].bearer
    if bearer == job || (bearer == nil && !isInvisible) { programs.remove(at: index) }
  }

  func noteReading(_ id: JobID, _ job: OpenJob) { reading.append((id, job)) }

  /// The worker has replied to a job.
  func noteReply(_ id: JobID) {
    reading.removeAll { $0.id == id }
    for index in programs.indices where programs[index].bearer == id { programs[index].bearer = nil }
  }
}
