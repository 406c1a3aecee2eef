/// The workers, jobs and batches of a scheduler. The objects refer to each other, so that an event needs only the look-ups of
/// its worker and its job.
///
/// The mutable state of each class is one `@exclusivity(unchecked)` property. This is safe because one thread uses all of it,
/// and no access lasts over a call that could begin another access. The checks at run time took a tenth of the coordinator's
/// time for a job.
extension Scheduler {
  package final class Worker {
    /// A job as it was sent.
    struct Assignment {
      let job: Job
      let attempt: UInt32
      /// Whether no job may be sent behind it.
      let isLast: Bool
      /// The time at which it was sent, in nanoseconds of the scheduler's time.
      let sentAt: UInt64
    }

    struct State {
      /// The jobs without a reply, in the order in which they were sent. Some of them can be over.
      var jobs: [Assignment] = []
      /// The time from which the worker has had the first of them, or has been executing it, in nanoseconds of the scheduler's
      /// time.
      var since: UInt64
      /// The last time at which the worker asked for a part of the program of the first of them, which takes long to arrive over
      /// a slow connection.
      var waitedAt: UInt64
      /// The batch of the last job that the worker finished. If a worker ends after it has finished another job of the same
      /// batch, the current job is the likely cause; otherwise the worker itself can be the cause.
      var provenFor: BatchID?
      /// The loads with which the worker is listed in `ReadyWorkers`, one bit each.
      var listedLoads: UInt8 = 0
    }

    let id: WorkerID
    let credit: Int
    @exclusivity(unchecked) var state: State

    init(_ id: WorkerID, credit: Int, since: UInt64) {
      (self.id, self.credit) = (id, credit)
      state = State(since: since, waitedAt: since)
      state.jobs.reserveCapacity(credit)
    }

    package var jobCount: Int { state.jobs.count }

    /// Whether the worker can take another job. A worker with a suspect job or a probe receives no further job before its
    /// reply, so that its end has only one possible cause. A worker with a late job may be stopped.
    package func takesMore(at now: UInt64) -> Bool {
      state.jobs.count < credit && state.jobs.last?.isLast != true
        && (state.jobs.count < Scheduler.jobsAtHand || isSoonDone) && !isLate(at: now)
    }

    /// Whether the worker has had its first job for longer than the expected duration allows.
    func isLate(at now: UInt64) -> Bool {
      guard let first = state.jobs.first else { return false }
      let expected = (first.job.expectedDuration ?? 0) * Scheduler.lateFactor
      return Double(now - begin(of: first)) > max(expected, Scheduler.leastLateness)
    }

    /// The time from which the worker could execute its first job. The time until it last asked for a part of the job's program
    /// does not count.
    func begin(of first: Assignment) -> UInt64 {
      let isStarted = first.job.run(on: id, first.attempt).map { first.job.state.runs[$0].isStarted } ?? false
      return isStarted ? state.since : max(state.since, state.waitedAt)
    }

    /// Whether the expected duration of all its jobs is within `durationAtHand`; false for unknown costs.
    var isSoonDone: Bool {
      state.jobs.reduce(0) { $0 + ($1.job.expectedDuration ?? .infinity) } < Scheduler.durationAtHand
    }
  }

  package final class Job {
    enum Phase: Equatable {
      case queued, running, splitting, done
    }

    /// A copy of the job on a worker.
    struct Run {
      let worker: WorkerID
      let attempt: UInt32
      var isStarted = false
    }

    struct State {
      fileprivate(set) var phase = Phase.queued
      /// The copies on workers. A job that is over has none, even if it is still among the jobs of a worker.
      var runs: [Run] = []
      /// The number of times the job was sent. Replies to earlier attempts are ignored.
      var attempt: UInt32 = 0
      /// The number of workers that ended while they were executing the job.
      var deaths = 0
      /// The number of workers that ended when the job was their next: the message that they had begun it may have been
      /// lost with them.
      var suspicions = 0
      /// Whether only workers that have completed a probe or another job receive the job. A worker has ended that may be unable
      /// to finish any job, or the job is a part of a suspect one.
      var isMarked = false
      /// The workers whose replies were refused, and the number of replies that were.
      var avoids: [WorkerID] = []
      var refusals = 0
    }

    let id: JobID
    let batch: Batch
    let slice: JobSlice
    @exclusivity(unchecked) var state = State()

    init(_ id: JobID, of batch: Batch, _ slice: JobSlice) { (self.id, self.batch, self.slice) = (id, batch, slice) }

    func enter(_ phase: Phase) {
      if state.phase == .running { batch.state.running -= 1 }
      if phase == .running { batch.state.running += 1 }
      state.phase = phase
    }

    var isSuspect: Bool { state.deaths > 0 || state.suspicions > 0 || state.isMarked }

    /// Whether the job has no rows and only shows whether a worker can finish a job of the batch.
    var isProbe: Bool { slice.rows == 0 }

    /// The expected duration in nanoseconds; nil before the first measurement of the batch.
    var expectedDuration: Double? { batch.state.cost.map { $0 * Double(slice.bytes) } }

    /// Returns the index of the copy that was sent to a worker.
    func run(on worker: WorkerID, _ attempt: UInt32) -> Int? {
      state.runs.firstIndex { $0.worker == worker && $0.attempt == attempt }
    }
  }

  package final class Batch {
    struct State {
      /// The batch's position in the `FairQueue`.
      var ticket: FairQueue.Ticket
      /// The queued jobs, from `firstQueued` on. Retries are first.
      var queue: [JobID] = []
      var firstQueued = 0
      /// Finished jobs by their first row, which wait for earlier rows.
      var finished: [UInt64: JobID] = [:]
      /// The row after the last one that was delivered.
      var nextRow: UInt64 = 0
      /// The number of rows of the batch, once the last job was added.
      var rows: UInt64?
      var addedRows: UInt64 = 0
      var recoveredRows: UInt64 = 0
      var running = 0
      var retries = 0
      /// The nanoseconds that a byte takes, smoothed; nil before the first result.
      var cost: Double?
      /// The bytes of columns per byte of rows, smoothed.
      var growth = 0.0
    }

    let id: BatchID
    @exclusivity(unchecked) var state: State

    init(_ id: BatchID, ticket: FairQueue.Ticket, cost: Double?) {
      self.id = id
      state = State(ticket: ticket, cost: cost)
    }

    package var queued: Int { state.queue.count - state.firstQueued }
    package var running: Int { state.running }
    package var addedRows: UInt64 { state.addedRows }
    package var retries: Int { state.retries }
    /// The row after the last one that was delivered.
    package var nextRow: UInt64 { state.nextRow }
    /// The number of rows that were done before the coordinator was started.
    package var recoveredRows: UInt64 { state.recoveredRows }
  }
}
