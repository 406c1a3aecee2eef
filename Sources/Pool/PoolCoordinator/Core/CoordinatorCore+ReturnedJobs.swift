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

  /// A worker cannot use the program of a batch. This depends on the bytes of the program alone, so the batch fails, unless a worker
  /// has laid out rows of it: then the one that reports this is at fault.
  mutating func noteProgramFailure(_ job: JobReference, _ reason: String, by worker: WorkerConnection) {
    worker.noteReply(job.job)
    if let batch = current(job, on: worker)?.batch, batch.phase == .open {
      guard !batch.hasUsableProgram else {
        return refuse(job, of: worker, "\(worker.name) cannot lay out rows of batch \(batch.name): \(reason)")
      }
      // Other workers may be able to use the results of an earlier coordinator and its program.
      if batch.journal.resultBytes > 0 { batch.journal.noteDamage() }
      fail(batch.id, "\(worker.name): \(reason)")
    }
    act(on: .jobReturned(worker.id, job.job, attempt: job.attempt))
  }
}
