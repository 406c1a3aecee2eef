/// The jobs that are worth executing twice. They are searched all at once, and again when there may be more of them.
struct Stragglers {
  /// The last is the next. An entry may have become outdated; whoever takes one checks it.
  var found: [Scheduler.Job] = []
  /// Whether something happened since the last search that can make stragglers: a job was sent behind another, a copy
  /// ended, a batch got its last rows, time passed. A job that takes longer than expected is seen when time passes.
  var mayBeMore = false
}

extension Scheduler {
  /// At the end of a batch, idle workers execute jobs that others have not begun yet or take long for. The first result
  /// counts.
  func copyStragglers() {
    guard state.stragglers.mayBeMore || !state.stragglers.found.isEmpty, state.queue.isEmpty else { return }
    while let idle = state.readyWorkers.popIdle() {
      guard let job = popStraggler() else { return state.readyWorkers.insert(idle) }
      send(job, to: idle)
    }
  }

  /// Takes the next straggler: first those that wait, because what they wait for may never end; then the oldest, so that
  /// the choice does not depend on the order of a dictionary.
  private func popStraggler() -> Job? {
    if state.stragglers.mayBeMore {
      let all = state.workers.values.flatMap(\.state.jobs).map(\.job).filter { isStraggler($0) }
        .sorted { $0.id > $1.id }
      state.stragglers.found = all.filter { !isWaiting($0) } + all.filter { isWaiting($0) }
      state.stragglers.mayBeMore = false
    }
    while let job = state.stragglers.found.popLast() {
      if isStraggler(job) { return job }
    }
    return nil
  }

  /// Whether a job waits behind others on a worker that is not soon done, or has been running for long. A job that may
  /// have ended a worker is not tried on two at a time: one copy would always go on, and there would be none to blame.
  private func isStraggler(_ job: Job) -> Bool {
    guard job.state.phase == .running, job.state.runs.count == 1, !job.isSuspect, job.batch.state.rows != nil,
      let worker = state.workers[job.state.runs[0].worker]
    else { return false }
    let time = Double(state.now - worker.state.since)
    return isWaiting(job)
      ? time > Self.durationAtHand || !worker.isSoonDone
      : time > max(Double(targetDuration) * 8, (job.expectedDuration ?? 0) * 4)
  }

  /// Whether the worker that was sent the job last has others before it.
  private func isWaiting(_ job: Job) -> Bool {
    guard let worker = job.state.runs.last.flatMap({ state.workers[$0.worker] }) else { return false }
    return worker.state.jobs.first?.job !== job
  }
}
