import ZeroMQ

/// A worker that is connected.
final class WorkerPeer {
  let id: WorkerID
  let identity: [UInt8]
  let pid: Int64
  /// If it shares memory.
  let lane: CoordinatorLane?
  /// Jobs whose lines it was shown and may be reading.
  @exclusivity(unchecked) private(set) var reading: [(id: JobID, job: OpenJob)] = []
  /// Those that it has, the oldest first, each with the job that it came with until that is answered.
  @exclusivity(unchecked) private var programs: [(id: [UInt8], bearer: JobID?)] = []
  @exclusivity(unchecked) var rows: UInt64 = 0
  @exclusivity(unchecked) var cacheHitRate = 0.0

  init(_ id: WorkerID, identity: [UInt8], pid: Int64, lane: CoordinatorLane?) {
    (self.id, self.identity, self.pid, self.lane) = (id, identity, pid, lane)
  }

  func has(program: [UInt8]) -> Bool { programs.contains { $0.id == program } }

  /// It gets another program with a job, and forgets its oldest.
  func note(program: [UInt8], with job: JobID) {
    if programs.count == Worker.maxPrograms { programs.removeFirst() }
    programs.append((program, bearer: job))
  }

  /// It could not begin a job, as it lacks its program; or does not see its program or its lines.
  func noteMissing(_ program: [UInt8], of job: JobID, unseen: Bool) {
    if unseen { lane?.noteUnseen() }
    guard let place = programs.firstIndex(where: { $0.id == program }) else { return }
    // What it says of jobs before the one with which the program came is no news.
    let bearer = programs[place].bearer
    if bearer == job || (bearer == nil && !unseen) { programs.remove(at: place) }
  }

  func noteReading(_ id: JobID, _ job: OpenJob) { reading.append((id, job)) }

  /// It has answered.
  func noteRead(_ id: JobID) {
    reading.removeAll { $0.id == id }
    for place in programs.indices where programs[place].bearer == id { programs[place].bearer = nil }
  }
}
