/// The numbers that identify a worker, a batch and a job. No number is used twice.
public typealias WorkerID = UInt64
public typealias BatchID = UInt64
public typealias JobID = UInt64

/// A run of whole lines of a batch, which is the content of a job. The coordinator has its bytes.
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

/// An event outside the scheduler.
public enum SchedulerEvent: Equatable, Sendable {
  case workerJoined(WorkerID, credit: Int)
  /// The worker ended, expired, was disconnected or left, so that it has no more jobs. `inGoodOrder`: it left by itself and
  /// therefore executed no job, even if it had announced the beginning of one.
  case workerLeft(WorkerID, inGoodOrder: Bool = false)
  /// Batches of a higher priority are served first, those of the same priority in turn. `cost`: the nanoseconds per byte of the
  /// batch's rows, if such rows were laid out before. `owner`: different owners have equal shares, for any number of batches.
  case batchOpened(BatchID, priority: Int32, cost: Double? = nil, owner: String = "")
  /// The next jobs of a batch, in row order. `isDone`: the jobs that have results from before a restart of the coordinator.
  /// `isLast`: no further jobs follow.
  case jobsAdded(BatchID, [JobSlice], isDone: [Bool] = [], isLast: Bool)
  /// The worker asks for a part of the program of its next job.
  case workerWaits(WorkerID)
  case jobStarted(WorkerID, JobID, attempt: UInt32)
  /// `duration` in nanoseconds, `columnBytes` of the columns of all variants.
  case jobDone(WorkerID, JobID, attempt: UInt32, duration: UInt64, columnBytes: Int = 0)
  /// The worker could not begin the job, for a reason that does not depend on the job.
  case jobReturned(WorkerID, JobID, attempt: UInt32)
  /// The worker's reply to the job is refused, such as a damaged result. Another worker is to execute the job, if there is one.
  case resultRefused(WorkerID, JobID, attempt: UInt32)
  /// The columns of the job are too large for a message.
  case jobTooLarge(WorkerID, JobID, attempt: UInt32)
  /// The parts of a job that was to be split.
  case jobSplit(JobID, [JobSlice])
  case batchCancelled(BatchID)
  /// Time has passed.
  case tick
}

/// An effect of the scheduler, which the coordinator carries out.
public enum SchedulerEffect: Equatable, Sendable {
  case send(JobID, attempt: UInt32, to: WorkerID)
  /// Sends a worker a job without rows, whose result shows that it can finish jobs of the batch.
  case probe(BatchID, JobID, attempt: UInt32, worker: WorkerID)
  /// The results of the job are the next of its batch.
  case deliver(BatchID, JobID)
  /// The worker has exceeded the deadline of a job. The coordinator is to end it; its jobs are queued again.
  case expire(WorkerID)
  /// The one row of the job has no results.
  case failRow(BatchID, JobID, RowFailure)
  /// The rows of the job are to be split; `jobSplit` reports the parts.
  case split(JobID)
  /// The job is over, and its bytes are no longer needed.
  case forget(JobID)
  /// All rows of the batch are done. `cost`: their nanoseconds per byte.
  case batchDone(BatchID, rows: UInt64, cost: Double?)
}

/// The reason why a row has no results.
public enum RowFailure: Equatable, Sendable {
  /// It ended every worker that tried it.
  case endedWorkers
  /// Its columns are too large for a message.
  case tooLarge
  /// All results for it were refused.
  case refused
}
