import PoolMemory
import PoolProtocol
import PoolScheduler

/// Values that simulations check.
package struct CoordinatorInspection {
  package var batches = 0
  /// Batches whose rows are not complete and that have no client to send the rest.
  package var abandonedBatches = 0
  package var jobs = 0
  package var workers = 0
  /// The number of clients in the index of clients, and the number of clients of all batches.
  package var clientsOfBatches = (listed: 0, connected: 0)
  package var transferredLeases = 0
  package var linesOfLostWorkers = 0
  /// The jobs that were sent to workers and have no reply.
  package var assignedJobs = 0
  /// The largest number of unacknowledged bytes of results of one client, counted when the last ones were sent.
  package var largestResultWindow = 0
  /// The largest number of unacknowledged bytes of rows of one client.
  package var largestRowWindow = 0
  /// Whether a worker has room for a job while jobs wait.
  package var hasIdleWorker = false
  package var isSchedulerEmpty = true
}

extension CoordinatorCore {
  package func inspect() -> CoordinatorInspection {
    var inspection = CoordinatorInspection()
    inspection.batches = state.batches.count
    inspection.jobs = state.jobs.count
    inspection.workers = state.workers.count
    inspection.clientsOfBatches = (
      state.batchesByClient.count, state.batches.values.count { $0.client.connection != nil }
    )
    inspection.transferredLeases = state.transferred.count
    inspection.isSchedulerEmpty = state.scheduler.isEmpty
    for batch in state.batches.values {
      if batch.client.givenUpAt != nil { inspection.abandonedBatches += 1 }
      inspection.linesOfLostWorkers += batch.rows.ofLostWorkers.count
      inspection.largestResultWindow = max(
        inspection.largestResultWindow, batch.results.queue.bytesBeforeLastSent)
      inspection.largestRowWindow = max(inspection.largestRowWindow, batch.rows.underWay.bytes)
    }
    for worker in state.scheduler.workers.values { inspection.assignedJobs += worker.jobCount }
    if state.scheduler.batches.values.contains(where: { $0.queued > 0 }) {
      inspection.hasIdleWorker = state.scheduler.workers.values.contains {
        $0.jobCount == 0 || ($0.jobCount < Scheduler.jobsAtHand && $0.takesMore(at: state.scheduler.now))
      }
    }
    return inspection
  }

  /// The bytes in the coordinator's memory that workers and clients have not released.
  package var bytesLeftInMemory: Int {
    let channels = state.workers.values.map(\.channel) + state.batches.values.map { $0.client.connection?.channel }
    return channels.reduce(0) { $0 + ($1?.bytesInUse ?? 0) }
  }
}
