import PoolMemory
import PoolProtocol
import PoolScheduler

/// Values that simulations check.
extension CoordinatorCore {
  package var batchCount: Int { state.batches.count }
  package var jobCount: Int { state.jobs.count }
  package var workerCount: Int { state.workers.count }
  package var transferredLeaseCount: Int { state.transferred.count }
  package var isSchedulerEmpty: Bool { state.scheduler.isEmpty }

  /// The number of batches whose rows are not complete and that have no client to send the rest.
  package var abandonedBatchCount: Int { state.batches.values.count { $0.client.givenUpAt != nil } }

  /// The number of clients in the index of clients, and the number of clients of all batches.
  package var clientsOfBatches: (listed: Int, connected: Int) {
    (state.batchesByClient.count, state.batches.values.count { $0.client.connection != nil })
  }

  package var linesOfLostWorkers: Int { state.batches.values.reduce(0) { $0 + $1.rows.ofLostWorkers.count } }

  /// The number of jobs that were sent to workers and have no reply.
  package var assignedJobCount: Int { state.scheduler.workers.values.reduce(0) { $0 + $1.jobCount } }

  /// Whether a worker has returned a result of the batch of a job.
  package func hasUsableProgram(job: JobID) -> Bool { state.jobs[job]?.batch.hasUsableProgram == true }

  /// The largest number of unacknowledged bytes of results of one client, counted when the last ones were sent.
  package var largestResultWindow: Int { state.batches.values.map(\.results.queue.bytesBeforeLastSent).max() ?? 0 }

  /// The largest number of unacknowledged bytes of rows of one client.
  package var largestRowWindow: Int { state.batches.values.map(\.rows.underWay.bytes).max() ?? 0 }

  /// Whether a worker has room for a job while jobs wait.
  package var hasIdleWorker: Bool {
    guard state.scheduler.batches.values.contains(where: { $0.queued > 0 }) else { return false }
    return state.scheduler.workers.values.contains {
      $0.jobCount == 0 || ($0.jobCount < Scheduler.jobsAtHand && $0.takesMore(at: state.scheduler.now))
    }
  }

  /// The bytes in the coordinator's memory that workers and clients have not released.
  package var bytesLeftInMemory: Int {
    let channels = state.workers.values.map(\.channel) + state.batches.values.map { $0.client.connection?.channel }
    return channels.reduce(0) { $0 + ($1?.bytesInUse ?? 0) }
  }
}
