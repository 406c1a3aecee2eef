/// Jobs that are worth doing twice: found all at once, and again when there may be more of them.
struct Stragglers {
  /// The newest first. One may have become untrue since it was found; whoever takes one checks it.
  var found: [Scheduler.Job] = []
  /// Whether something happened since that can make others of jobs: one was put behind another, a copy ended, a batch
  /// got its last rows, time passed.
  var mayBeMore = false
}

extension Scheduler {
  /// At the end of a batch, idle workers do over again what others have not come to yet or take long for; the first
  /// answer counts.
  func copyStragglers() {
    guard stragglers.mayBeMore || !stragglers.found.isEmpty, turns.isEmpty else { return }
    while let idle = readyWorkers.takeIdle() {
      guard let job = takeStraggler() else { return readyWorkers.note(idle) }
      send(job, to: idle)
    }
  }

  /// The oldest of them, so that the choice does not depend on the order of a dictionary.
  private func takeStraggler() -> Job? {
    if stragglers.mayBeMore {
      stragglers.found = workers.values.flatMap(\.jobs).map(\.job).filter { isStraggler($0) }
        .sorted { $0.id > $1.id }
      stragglers.mayBeMore = false
    }
    while let job = stragglers.found.popLast() {
      if isStraggler(job) { return job }
    }
    return nil
  }

  /// Whether it waits behind others on its worker that are not over soon, or has been running for long. A job that may
  /// have ended a worker is not tried on two at a time: one would always be left that goes on, and none to blame it for.
  private func isStraggler(_ job: Job) -> Bool {
    guard job.state == .running, job.runs.count == 1, !job.isSuspect, job.batch.rows != nil,
      let worker = workers[job.runs[0].worker]
    else { return false }
    let time = Double(now - worker.since)
    return worker.jobs.first?.job === job
      ? time > max(Double(targetDuration) * 8, (job.expectedDuration ?? 0) * 4)
      : time > Self.workAtHand || !worker.isSoonDone
  }
}
