/// A worker, a batch and a job in the scheduler's own numbers; none is ever given twice.
public typealias WorkerID = UInt64
public typealias BatchID = UInt64
public typealias JobID = UInt64

/// A run of whole lines of a batch: what a job is about. Where its bytes are is the coordinator's business.
public struct JobSlice: Equatable, Sendable {
  public var firstRow: UInt64
  public var rows: UInt32
  public var bytes: Int

  public init(firstRow: UInt64, rows: UInt32, bytes: Int) {
    self.firstRow = firstRow
    self.rows = rows
    self.bytes = bytes
  }
}

/// What happened outside.
public enum SchedulerEvent: Equatable, Sendable {
  case workerJoined(WorkerID, credit: Int)
  /// Died, hung, was cut off or said goodbye: it has no more jobs. `inGoodOrder`: it said goodbye, so it was executing
  /// none of them, even if it had said that it would begin one.
  case workerLeft(WorkerID, inGoodOrder: Bool = false)
  /// Batches of a higher priority are served first, those of the same in turn. `cost`: nanoseconds that a byte of its
  /// rows takes, if such rows were laid out before.
  case batchOpened(BatchID, priority: Int32, cost: Double? = nil)
  /// The next jobs of a batch, in row order, of which those that were done before the coordinator was started have their
  /// results; `isLast`: there will be none after these.
  case jobsAdded(BatchID, [JobSlice], isDone: [Bool] = [], isLast: Bool)
  case jobStarted(WorkerID, JobID, attempt: UInt32)
  /// `duration` in nanoseconds.
  case jobDone(WorkerID, JobID, attempt: UInt32, duration: UInt64)
  /// The worker could not begin, through no fault of the job's.
  case jobReturned(WorkerID, JobID, attempt: UInt32)
  /// The two halves of a job that was to be split.
  case jobSplit(JobID, JobSlice, JobSlice)
  case batchCancelled(BatchID)
  /// It is `now`, in nanoseconds of a clock that never goes back.
  case tick(now: UInt64)
}

/// What is to be done about it.
public enum SchedulerAction: Equatable, Sendable {
  case send(JobID, attempt: UInt32, to: WorkerID)
  /// The job's results are the next of its batch.
  case deliver(BatchID, JobID)
  /// The worker has had a job for longer than its deadline: it is to be ended, and has no jobs any more.
  case expire(WorkerID)
  /// The job's one row killed every worker that tried it.
  case failRow(BatchID, JobID)
  /// Halve the job's rows and say so with `jobSplit`.
  case split(JobID)
  /// The job is over, its bytes are not needed any more.
  case forget(JobID)
  /// `cost`: what a byte of its rows took, in nanoseconds.
  case batchDone(BatchID, rows: UInt64, cost: Double?)
}
