import Buffers
import PoolCoordinatorCore
import PoolProtocol
import PoolScheduler

/// What a coordinator has done since its start, as its effects show it.
struct SimulatedCounts {
  /// The jobs with rows that were sent.
  private(set) var sentJobs: Set<JobID> = []
  private(set) var resultBytes: UInt64 = 0
  private(set) var registrations: UInt64 = 0
  /// The clients that were told that their batches are done.
  private(set) var ends: UInt64 = 0

  mutating func note(_ effect: CoordinatorEffect) {
    switch effect {
    case .sendToWorker(.job(let job), _, _): if job.chunk.rows > 0 { sentJobs.insert(job.reference.job) }
    case .sendToWorker(.welcome, _, _): registrations += 1
    case .sendToClient(.rows(_, let runs), let parts, _):
      let shared = runs.reduce(0) { $0 + ($1.columns?.pieces.reduce(0, +) ?? 0) }
      resultBytes += shared + UInt64(parts.reduce(0) { $0 + $1.count })
    case .sendToClient(.done, _, _): ends += 1
    default: break
    }
  }
}

/// The metrics of the coordinator agree with what happened.
extension PoolSimulation {
  func checkMetrics(_ metrics: PoolMetrics, workers: Int) {
    if metrics.queueTime.count != UInt64(counts.sentJobs.count) {
      fail("\(counts.sentJobs.count) jobs were sent, \(metrics.queueTime.count) are counted")
    }
    if metrics.jobsDone > metrics.queueTime.count {
      fail("\(metrics.jobsDone) jobs are done, \(metrics.queueTime.count) times were recorded")
    }
    if metrics.resultBytesSent != counts.resultBytes {
      fail("\(counts.resultBytes) bytes of results were sent, \(metrics.resultBytesSent) are counted")
    }
    if metrics.lostWorkers + UInt64(workers) > counts.registrations {
      fail("of \(counts.registrations) workers \(metrics.lostWorkers) are lost and \(workers) are there")
    }
    if metrics.retries > 0 && metrics.lostWorkers == 0 { fail("jobs were sent again though no worker was lost") }
    if metrics.batchTime.count > min(counts.ends, metrics.batchesDone) {
      fail("\(metrics.batchTime.count) times of batches were recorded, \(counts.ends) clients were told the end")
    }
  }

  /// If one coordinator has done everything, it has counted all rows once.
  func checkRows(_ metrics: PoolMetrics) {
    guard faultCounts["\(SimulatedFaults.Kind.coordinatorEnds)"] == nil, metrics.batchesRecovered == 0,
      metrics.batchesAccepted == UInt64(batches.count), batches.allSatisfy({ $0.outcome == .done })
    else { return }
    let rows = batches.reduce(0) { $0 + $1.rows - UInt64($1.lostRows.count) }
    if metrics.rowsDone != rows { fail("\(rows) rows were laid out, \(metrics.rowsDone) are counted") }
    let bytes = batches.reduce(0) { $0 + $1.bytes }
    if metrics.rowBytesReceived != UInt64(bytes) {
      fail("the rows have \(bytes) bytes, \(metrics.rowBytesReceived) are counted")
    }
    if metrics.batchesDone != UInt64(batches.count) {
      fail("\(batches.count) batches are done, \(metrics.batchesDone) are counted")
    }
  }
}
