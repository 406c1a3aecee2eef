/// The jobs that are worth executing twice. They are searched all at once, and again when there may be more of them.
struct Stragglers {
  /// The last is the next. An entry may have become outdated; the function that takes one checks it.
  var found: [Scheduler.Job] = []
  /// Whether something happened since the last search that can make stragglers: a job was sent behind another, a copy
  /// ended, a batch got its last rows, time passed.
  var mayBeMore = false
}

extension Scheduler {
  /// At the end of a batch, idle workers execute jobs that others have not begun yet. The first result counts.
  mutating func copyStragglers() {
    guard state.stragglers.mayBeMore || !state.stragglers.found.isEmpty, state.queue.isEmpty else { return }
    while let idle = state.readyWorkers.popIdle() {
      guard let job = popStraggler() else { return state.readyWorkers.insert(idle) }
      send(job, to: idle)
    }
  }

  /// Takes the next straggler: the oldest, so that the choice does not depend on the order of a dictionary.
  private mutating func popStraggler() -> Job? {
    if state.stragglers.mayBeMore {
      state.stragglers.found = state.workers.values.flatMap(\.state.jobs).map(\.job).filter { isStraggler($0) }
        .sorted { $0.id > $1.id }
      state.stragglers.mayBeMore = false
    }
    while let job = state.stragglers.found.popLast() {
      if isStraggler(job) { return job }
    }
    return nil
  }

  /// Whether a job waits behind others on a worker that is not soon done. A job that may have ended a worker is executed
  /// by one worker at a time: with two copies, one would always continue, and the job could not be blamed.
  private func isStraggler(_ job: Job) -> Bool {
    guard job.state.phase == .running, job.state.runs.count == 1, !job.isSuspect, job.batch.state.rows != nil,
      let worker = state.workers[job.state.runs[0].worker], worker.state.jobs.first?.job !== job
    else { return false }
    return Double(state.now - worker.state.since) > Self.durationAtHand || !worker.isSoonDone
  }
}
