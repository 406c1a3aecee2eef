import PoolProtocol
import PoolScheduler

/// Jobs that workers return without a result.
extension CoordinatorCore {
  /// A worker has not begun a job, because it lacks the lines or they, or the program, differ from their checksum.
  mutating func noteReturn(of job: JobReference, isInvisible: Bool, by worker: WorkerConnection) {
    let wasShared = worker.noteReply(job.job)?.isShared == true
    if isInvisible { worker.channel?.noteInvisible() }
    // From now on, messages carry the lines for a worker that cannot map memory.
    guard current(job, on: worker) != nil, !(isInvisible && wasShared) else {
      return act(on: .jobReturned(worker.id, job.job, attempt: job.attempt))
    }
    let flaw =
      isInvisible
      ? "reports that a job came without its lines" : "reports that a job or its program was damaged on its way"
    refuse(job, of: worker, "\(worker.name) \(flaw)")
  }

  /// A worker cannot use the program of a batch. The batch fails if the workers agree; otherwise the worker is at fault.
  mutating func noteProgramFailure(_ job: JobReference, _ reason: String, by worker: WorkerConnection) {
    worker.noteReply(job.job)
    guard let batch = current(job, on: worker)?.batch, batch.phase == .open else {
      return act(on: .jobReturned(worker.id, job.job, attempt: job.attempt))
    }
    batch.programFailures.add(worker)
    guard batch.programFailures.isAgreed(among: state.workers.values) else {
      return refuse(
        job, of: worker, "\(worker.name) cannot lay out rows of batch \(batch.name): \(reason)", becauseOf: batch)
    }
    // The last reply is not refused.
    for report in batch.programFailures.reports.dropLast() { state.workers[report.worker]?.takeBackRefusal() }
    state.distrusted.pardon(batch.id)
    // Other workers may be able to use the results of an earlier coordinator and its program.
    if batch.journal.resultBytes > 0 { batch.journal.noteDamage() }
    fail(batch.id, "\(batch.programFailures.names): \(reason)")
    act(on: .jobReturned(worker.id, job.job, attempt: job.attempt))
  }
}
