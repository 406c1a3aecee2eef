/// Jobs that are worth doing twice: found all at once, and again when there may be more of them.
struct Stragglers {
  /// The last is the next. One may have become untrue since it was found; whoever takes one checks it.
  var found: [Scheduler.Job] = []
  /// Whether something happened since that can make others of jobs: one was put behind another, a copy ended, a batch
  /// got its last rows, time passed. That jobs turn out to take longer than was thought is seen when time passes.
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

  /// Those that wait first, as what they wait for may never end; then the oldest of them, so that the choice does not
  /// depend on the order of a dictionary.
  private func takeStraggler() -> Job? {
    if stragglers.mayBeMore {
      let all = workers.values.flatMap(\.jobs).map(\.job).filter { isStraggler($0) }.sorted { $0.id > $1.id }
      stragglers.found = all.filter { !isWaiting($0) } + all.filter { isWaiting($0) }
      stragglers.mayBeMore = false
    }
    while let job = stragglers.found.popLast() {
      if isStraggler(job) { return job }
    }
    return nil
  }

  /// Whether it waits behind others on a worker that is not done soon, or has been running for long. A job that may have
  /// ended a worker is not tried on two at a time: one would always be left that goes on, and none to blame it for.
  private func isStraggler(_ job: Job) -> Bool {
    guard job.state == .running, job.runs.count == 1, !job.isSuspect, job.batch.rows != nil,
      let worker = workers[job.runs[0].worker]
    else { return false }
    let time = Double(now - worker.since)
    return isWaiting(job)
      ? time > Self.durationAtHand || !worker.isSoonDone
      : time > max(Double(targetDuration) * 8, (job.expectedDuration ?? 0) * 4)
  }

  /// Whether the worker that was sent it last has others before it.
  private func isWaiting(_ job: Job) -> Bool {
    guard let worker = job.runs.last.flatMap({ workers[$0.worker] }) else { return false }
    return worker.jobs.first?.job !== job
  }
}
