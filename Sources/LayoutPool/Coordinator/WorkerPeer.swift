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
  /// Those that it has, the oldest first.
  @exclusivity(unchecked) private(set) var programs: [[UInt8]] = []
  @exclusivity(unchecked) var rows: UInt64 = 0
  @exclusivity(unchecked) var cacheHitRate = 0.0

  init(_ id: WorkerID, identity: [UInt8], pid: Int64, lane: CoordinatorLane?) {
    (self.id, self.identity, self.pid, self.lane) = (id, identity, pid, lane)
  }

  /// It gets another program, and forgets its oldest.
  func note(program: [UInt8]) {
    if programs.count == Worker.maxPrograms { programs.removeFirst() }
    programs.append(program)
  }

  /// It said that it lacks one.
  func forget(program: [UInt8]) { programs.removeAll { $0 == program } }

  func noteReading(_ id: JobID, _ job: OpenJob) { reading.append((id, job)) }

  /// It has answered.
  func noteRead(_ id: JobID) { reading.removeAll { $0.id == id } }
}
