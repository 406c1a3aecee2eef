import PoolProtocol

@testable import PoolScheduler

/// A scheduler whose events a test reports.
final class SchedulerUnderTest {
  private(set) var core: Scheduler
  /// The time of the last event in nanoseconds.
  private var time: UInt64 = 0

  init(jobDeadline: UInt32 = 10) { core = Scheduler(jobDeadline: jobDeadline) }

  /// Reports an event. Returns its effects.
  func handle(_ event: SchedulerEvent, at time: UInt64) -> [SchedulerEffect] {
    self.time = max(self.time, time)
    var effects: [SchedulerEffect] = []
    core.handle(event, at: EventTime(monotonic: time), into: &effects)
    return effects
  }

  /// Reports an event at the time of the last one. The result of a job comes after its duration, or a second.
  func handle(_ event: SchedulerEvent) -> [SchedulerEffect] {
    var time = self.time
    if case .jobDone(_, _, _, let duration, _) = event { time += min(duration, RunningTime.longestStep) }
    return handle(event, at: time)
  }

  /// Opens a batch and adds all of its jobs. Returns the effects.
  @discardableResult
  func open(
    _ batch: BatchID = 1, jobs: Int, rows: UInt32 = 1, bytes: Int = 100, priority: Int32 = 0, cost: Double? = nil,
    owner: String = ""
  ) -> [SchedulerEffect] {
    let slices = (0..<UInt64(jobs)).map { JobSlice(firstRow: $0 * UInt64(rows), rows: rows, bytes: bytes) }
    return handle(.batchOpened(batch, priority: priority, cost: cost, owner: owner))
      + handle(.jobsAdded(batch, slices, isLast: true))
  }
}
