import PoolProtocol

@testable import PoolScheduler

/// A scheduler whose events a test reports.
final class SchedulerUnderTest {
  private(set) var scheduler: Scheduler

  init(jobDeadline: UInt32 = 10) { scheduler = Scheduler(jobDeadline: jobDeadline) }

  /// Reports an event. Returns its effects.
  func handle(_ event: SchedulerEvent, at time: UInt64) -> [SchedulerEffect] {
    var effects: [SchedulerEffect] = []
    scheduler.handle(event, at: EventTime(monotonic: time), into: &effects)
    return effects
  }

  /// Reports an event at the time of the last one. The result of a job comes after its duration, or a second.
  func handle(_ event: SchedulerEvent) -> [SchedulerEffect] {
    var time = scheduler.state.lastTime ?? 0
    if case .jobDone(_, _, _, let duration, _) = event { time += min(duration, Scheduler.longestStep) }
    return handle(event, at: time)
  }

  func jobBytes(of batch: BatchID, outOf bytes: Int) -> Int { scheduler.jobBytes(of: batch, outOf: bytes) }

  func batch(of job: JobID) -> BatchID? { scheduler.state.jobs[job]?.batch.id }

  func isCurrent(_ worker: WorkerID, _ job: JobID, attempt: UInt32) -> Bool {
    scheduler.isCurrent(worker, job, attempt: attempt)
  }

  func age(ofJobOn worker: WorkerID) -> (nanoseconds: UInt64, isLate: Bool)? { scheduler.age(ofJobOn: worker) }

  func deadline(of job: JobID) -> UInt64 { scheduler.deadline(of: job) }

  var copies: UInt64 { scheduler.copies }
  var isEmpty: Bool { scheduler.isEmpty }
  var nextJobID: JobID { scheduler.nextJobID }
}
