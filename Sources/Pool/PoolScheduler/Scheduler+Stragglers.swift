/// The jobs for which a second copy is useful. One search lists all of them, and is repeated when there can be new ones.
struct Stragglers {
  /// The next straggler is the last element. An entry can be outdated; the function that takes one checks it.
  var found: [Scheduler.Job] = []
  /// Whether an event since the last search can have caused stragglers: a job was sent behind another, a copy ended, a batch
  /// received its last rows, or time passed.
  var mayBeMore = false
}

extension Scheduler {
  /// At the end of a batch, idle workers execute jobs that others have not yet begun. The first result is used.
  mutating func copyStragglers() {
    guard state.stragglers.mayBeMore || !state.stragglers.found.isEmpty, state.queue.isEmpty else { return }
    while let idle = state.readyWorkers.popIdle() {
      guard let job = popStraggler() else { return state.readyWorkers.insert(idle) }
      send(job, to: idle)
    }
  }

  /// Takes the oldest straggler. The choice must not depend on the order of a dictionary.
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

  /// Whether a job waits behind others on a worker that will not reach it soon.
  private func isStraggler(_ job: Job) -> Bool {
    guard job.batch.state.rows != nil, let worker = onlyWorker(of: job), worker.state.jobs.first?.job !== job else {
      return false
    }
    return Double(state.now - worker.state.since) > Self.durationAtHand || !worker.isSoonDone
  }
}
