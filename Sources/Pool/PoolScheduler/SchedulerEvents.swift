/// The numbers by which a scheduler knows a worker, a batch and a job. None is given twice.
public typealias WorkerID = UInt64
public typealias BatchID = UInt64
public typealias JobID = UInt64

/// A run of whole lines of a batch, which is the content of a job. Where its bytes are is the coordinator's concern.
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

/// What happened outside of the scheduler.
public enum SchedulerEvent: Equatable, Sendable {
  case workerJoined(WorkerID, credit: Int)
  /// The worker died, hung, was disconnected or left: it has no more jobs. `inGoodOrder`: it left by itself, so it was
  /// executing none of them, even if it had announced that it would begin one.
  case workerLeft(WorkerID, inGoodOrder: Bool = false)
  /// Batches of a higher priority are served first, those of the same priority in turn. `cost`: the nanoseconds that a
  /// byte of the batch's rows takes, if such rows were laid out before. `owner`: batches of different owners have equal
  /// shares, however many batches each of them has.
  case batchOpened(BatchID, priority: Int32, cost: Double? = nil, owner: String = "")
  /// The next jobs of a batch, in row order. `isDone`: which of them have results from before a restart of the
  /// coordinator. `isLast`: no others follow.
  case jobsAdded(BatchID, [JobSlice], isDone: [Bool] = [], isLast: Bool)
  /// The worker shows that it lives and waits for the next of its jobs to arrive.
  case workerWaits(WorkerID)
  case jobStarted(WorkerID, JobID, attempt: UInt32)
  /// `duration` in nanoseconds, `columnBytes` of the columns of all variants.
  case jobDone(WorkerID, JobID, attempt: UInt32, duration: UInt64, columnBytes: Int = 0)
  /// The worker could not begin the job, for a reason that is not the job's.
  case jobReturned(WorkerID, JobID, attempt: UInt32)
  /// The worker's result is damaged. Another worker is to execute the job, if there is one.
  case resultRefused(WorkerID, JobID, attempt: UInt32)
  /// The columns of the job are too large for a message.
  case jobTooLarge(WorkerID, JobID, attempt: UInt32)
  /// The parts of a job that was to be split.
  case jobSplit(JobID, [JobSlice])
  case batchCancelled(BatchID)
  /// Time has passed.
  case tick
}

/// What is to be done about an event.
public enum SchedulerEffect: Equatable, Sendable {
  case send(JobID, attempt: UInt32, to: WorkerID)
  /// Sends a worker a job without rows, whose result shows that it can finish jobs of the batch.
  case probe(BatchID, JobID, attempt: UInt32, worker: WorkerID)
  /// The results of the job are the next of its batch.
  case deliver(BatchID, JobID)
  /// The worker has had a job for longer than its deadline. It is to be ended, and its jobs were taken from it.
  case expire(WorkerID)
  /// The one row of the job has no results.
  case failRow(BatchID, JobID, RowFailure)
  /// The rows of the job are to be split; `jobSplit` reports the parts.
  case split(JobID)
  /// The job is over, and its bytes are no longer needed.
  case forget(JobID)
  /// All rows of the batch are done. `cost`: the nanoseconds that a byte of them took.
  case batchDone(BatchID, rows: UInt64, cost: Double?)
}

/// Why a row has no results.
public enum RowFailure: Equatable, Sendable {
  /// It ended every worker that tried it.
  case endedWorkers
  /// Its columns are too large for a message.
  case tooLarge
  /// All results for it were refused.
  case refused
}
