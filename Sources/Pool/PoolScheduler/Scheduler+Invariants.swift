import PoolProtocol

/// The invariants of a scheduler between two events.
extension Scheduler {
  /// Reports each invariant that does not hold.
  package func checkInvariants(_ report: (String) -> Void) {
    for job in state.jobs.values { check(job, report) }
    for batch in state.batches.values { check(batch, report) }
    for worker in state.workers.values { check(worker, report) }
    for batch in state.queue.batches where state.batches[batch] == nil {
      report("the scheduler: batch \(batch) is queued and does not exist")
    }
  }

  private func check(_ job: Job, _ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("the scheduler: job \(job.id) \(message())") }
    }
    // A batch can end before the reply to its probe.
    check(job.isProbe || state.batches[job.batch.id] === job.batch, "has no batch")
    check(job.id < state.nextJob, "has a number that was not given")
    check(
      (job.state.phase == .running) == !job.state.runs.isEmpty,
      "is \(job.state.phase) on \(job.state.runs.count) workers")
    check(job.state.runs.count <= 2, "is on \(job.state.runs.count) workers")
    check(Set(job.state.runs.map(\.worker)).count == job.state.runs.count, "is on a worker twice")
    check(job.state.deaths <= Self.maxTries, "has ended \(job.state.deaths) workers")
    check(job.state.refusals <= Self.maxRefusals, "was refused \(job.state.refusals) times")
    for run in job.state.runs {
      let worker = state.workers[run.worker]
      check(worker != nil, "is on worker \(run.worker), which has left")
      check(run.attempt <= job.state.attempt, "has an attempt that was not made")
      check(
        worker?.state.jobs.contains { $0.job === job && $0.attempt == run.attempt } != false,
        "is not listed by worker \(run.worker)")
    }
    if job.state.phase == .done, !job.isProbe {
      check(job.batch.state.finished[job.slice.firstRow] == job.id, "is done and waits for no delivery")
      check(job.slice.firstRow > job.batch.state.nextRow, "is done, and was not delivered")
    }
  }

  private func check(_ batch: Batch, _ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("the scheduler: batch \(batch.id) \(message())") }
    }
    let jobs = state.jobs.values.filter { $0.batch === batch }
    let rows = jobs.reduce(0) { $0 + UInt64($1.slice.rows) }
    check(
      batch.state.nextRow + rows == batch.state.addedRows,
      "has \(rows) rows in jobs after row \(batch.state.nextRow) of \(batch.state.addedRows)")
    check(batch.state.recoveredRows <= batch.state.addedRows, "has recovered more rows than it has")
    check(batch.state.rows == nil || batch.state.rows == batch.state.addedRows, "has rows after the last one")
    check(batch.state.rows != batch.state.nextRow, "is delivered and still open")
    check(
      batch.state.running == jobs.count { $0.state.phase == .running }, "counts \(batch.state.running) running jobs")
    let queued = batch.state.queue[batch.state.firstQueued...]
    check(queued.allSatisfy { state.jobs[$0]?.state.phase == .queued }, "has queued a job that is not queued")
    check(Set(queued).count == queued.count, "has queued a job twice")
    check(queued.count == jobs.count { $0.state.phase == .queued }, "has lost a queued job")
    check(
      batch.state.finished.values.allSatisfy { state.jobs[$0]?.state.phase == .done }, "delivers a job that is not done"
    )
    check(
      state.queue.contains(batch.state.ticket) == !queued.isEmpty,
      "has \(queued.count) queued jobs and the wrong position in the queue")
    check(batch.state.cost.map { $0 >= 0 && $0.isFinite } != false, "has the cost \(batch.state.cost ?? 0)")
  }

  private func check(_ worker: Worker, _ report: (String) -> Void) {
    func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
      if !isTrue { report("the scheduler: worker \(worker.id) \(message())") }
    }
    let jobs = worker.state.jobs
    check(jobs.count <= worker.credit, "has \(jobs.count) jobs with a credit of \(worker.credit)")
    check(worker.credit <= ProtocolLimits.jobsOfWorker, "has a credit of \(worker.credit)")
    check(jobs.dropLast().allSatisfy { !$0.isLast }, "has a job behind a suspect one")
    check(zip(jobs, jobs.dropFirst()).allSatisfy { $0.sentAt <= $1.sentAt }, "has jobs out of order")
    check(worker.state.since <= state.now && worker.state.waitedAt <= state.now, "began in the future")
    check(Set(jobs.map { "\($0.job.id) \($0.attempt)" }).count == jobs.count, "has a job twice")
  }
}
