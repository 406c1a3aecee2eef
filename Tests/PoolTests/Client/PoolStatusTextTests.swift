import PoolClient
import PoolProtocol
import Testing

/// Tests of the state of a pool as text.
@Suite struct PoolStatusTextTests {
  /// Returns the line of a late worker.
  private func line(jobs: UInt32, seconds: Double) -> String {
    var worker = PoolStatus.Worker()
    (worker.name, worker.jobs, worker.late, worker.jobAge, worker.seen) = (
      "worker 1", jobs, true, seconds, seconds
    )
    var status = PoolStatus()
    (status.workers, status.workerCount) = ([worker], 1)
    return status.text.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test(arguments: [
    (0, "0.0"), (0.98, "1.0"), (0.34, "0.3"), (9.94, "9.9"), (9.96, "10"), (61.5, "62"), (1e30, "\(UInt64.max)"),
  ])
  func timesOfLateWorkersHaveTenthsBelowTenSeconds(seconds: Double, text: String) {
    #expect(line(jobs: 1, seconds: seconds).hasSuffix("; late: its job has run for \(text) s"))
    #expect(line(jobs: 0, seconds: seconds).hasSuffix("; late: its last message came \(text) s ago"))
  }
}
