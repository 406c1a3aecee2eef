import Foundation
import FoundationXML
import PoolProtocol
import Testing

@testable import LoadTesting

@Suite struct LoadReportTests {
  private func report(
    _ change: (inout LoadMeasurements) -> Void = { _ in }, pace: Pace = .closed, seconds: Double = 10,
    isInterrupted: Bool = false, time: ProcessorTime = ProcessorTime(coordinator: 25, workers: [1: 400, 2: 500]),
    workers: WorkerRows? = nil, pool: PoolMetrics? = nil, isRestarted: Bool = false, remaining: Int? = 0,
    failIf: [LoadThreshold] = []
  ) -> LoadReport {
    var measurements = LoadMeasurements(LoadSpan(warmUp: 0, duration: 10, grace: 10))
    for batch in 0..<100 {
      let start = Double(batch) / 10
      measurements.record(BatchOutcome(intendedStart: start, ended: start + Double(batch + 1) / 1000, end: .done))
      measurements.record(rows: 500, bad: 0, now: start)
    }
    change(&measurements)
    return LoadReport(
      measurements, pace: pace, clients: 4, seconds: seconds, isInterrupted: isInterrupted, processorTime: time,
      workers: workers, pool: pool, isRestarted: isRestarted, remaining: remaining, failIf: failIf)
  }

  /// Linux has 100 ticks per second on all architectures that Swift supports.
  @Test func theTextHasAllFigures() {
    #expect(
      report().text == """
        closed loop of 4 clients, 10.0 s measured
        throughput  9.90 batches/s, 5000 rows/s (99 batches, 50000 rows)
        latency     p50 50.0  p90 90.0  p95 95.0  p99 99.0  p99.9 100.0  max 100.0 ms
        errors      none
        workers     unknown: the coordinator did not reply in time
        processor   coordinator 0.25 s, 2 workers 9.00 s
        """)
  }

  @Test func theRowsOfWorkersThatHaveLeftCount() {
    func status(_ rows: UInt64, workers: [UInt64]) -> PoolStatus {
      var status = PoolStatus()
      status.metrics.rowsDone = rows
      status.workers = workers.map { rows in
        var worker = PoolStatus.Worker()
        worker.rows = rows
        return worker
      }
      return status
    }
    let rows = WorkerRows(from: (status(150, workers: [100, 50]), 2), to: (status(390, workers: [300]), 4))
    #expect(rows?.rows == 240 && rows?.rowsPerSecond == 120)
    #expect(report(workers: rows).text.contains("workers     240 rows laid out in 2.0 s for all clients, 120 rows/s\n"))
    #expect(WorkerRows(from: nil, to: (status(0, workers: []), 4)) == nil)
  }

  @Test func theFiguresOfTheCoordinatorAreThoseOfItsStatus() throws {
    var pool = PoolMetrics()
    (pool.uptime, pool.jobsDone, pool.retries) = (10, 200, 3)
    (pool.rowBytesReceived, pool.resultBytesSent) = (3 << 20, 5 << 19)
    for _ in 0..<100 { pool.queueTime.record(2_000_000) }
    let report = report(pool: pool)
    #expect(
      report.text.hasSuffix(
        """
        queue time  p50 1.75  p90 2.35  p99 2.49 ms of jobs
        layout time unknown: there were no jobs
        transfer    200 jobs, 3 tried again, 3.0 MiB of rows and 2.5 MiB of results for all clients
        """), "\(report.text)")
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
    let queueTime = (json?["pool"] as? [String: Any])?["queueTime"] as? [String: Any]
    #expect(queueTime?["count"] as? Int == 100 && queueTime?["p50"] as? Double == pool.queueTime.quantile(0.5))
  }

  @Test func aCoordinatorThatWasStartedAgainHasNoFigures() throws {
    var (before, after) = (PoolStatus(), PoolStatus())
    (before.pid, before.metrics.uptime, before.metrics.rowsDone) = (1, 3, 100)
    (after.pid, after.metrics.uptime, after.metrics.rowsDone) = (2, 5, 150)
    #expect(WorkerRows(from: (before, 2), to: (after, 12)) == nil)
    let report = report(isRestarted: true)
    #expect(report.text.contains("\nworkers     unknown: the coordinator was started again"), "\(report.text)")
    let fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
    #expect(fields?["coordinatorRestarted"] as? Bool == true)
  }

  @Test func batchesThatRemainAreReported() {
    #expect(report(remaining: 3).text.contains("the coordinator still has 3 batches of this run; galley status "))
    #expect(report(remaining: nil).text.contains("still has an unknown number of batches of this run"))
    #expect(!report().text.contains("still has"))
  }

  @Test func aRunFailsIfAConditionIsMet() throws {
    let passed = report(failIf: [try LoadThreshold("p99>500ms"), try LoadThreshold("rows/s<1000")])
    #expect(passed.passes)
    #expect(passed.text.contains("fail if     p99>500ms: passed (99.01)\nfail if     rows/s<1000: passed (5000)"))
    let failed = report(failIf: [try LoadThreshold("p99>500ms"), try LoadThreshold("p50 >= 0.05s")])
    #expect(!failed.passes && failed.failIf.map(\.isMet) == [false, true])
    let fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(failed)) as? [String: Any]
    let conditions = fields?["failIf"] as? [[String: Any]]
    #expect(conditions?.last?["condition"] as? String == "p50 >= 0.05s")
    #expect(conditions?.last?["failed"] as? Bool == true)
  }

  @Test func errorsFailARunUnlessAConditionIsAboutThem() throws {
    let late: (inout LoadMeasurements) -> Void = {
      $0.record(BatchOutcome(intendedStart: 9, ended: 20, end: .late))
    }
    #expect(!report(late).passes)
    #expect(!report(late, failIf: [try LoadThreshold("p50>500")]).passes)
    #expect(report(late, failIf: [try LoadThreshold("errors>1")]).passes)
    #expect(!report(late, failIf: [try LoadThreshold("errors>0")]).passes)
  }

  @Test func theTextListsErrorsByReason() {
    let bad = report { measurements in
      measurements.record(rows: 10, bad: 3, now: 1)
      measurements.record(BatchOutcome(intendedStart: 1, ended: 2, end: .failed("no reply")))
      measurements.record(BatchOutcome(intendedStart: 9, ended: 20, end: .late))
    }
    #expect(!bad.isGood && !bad.meets(p99: 1e9))
    #expect(bad.text.contains("errors      1 failed batches, 1 late batches, 3 bad rows\n"), "\(bad.text)")
    #expect(bad.text.contains("\n  1 failed: no reply\n"))
  }

  @Test func theTextNamesUnknownFigures() {
    let report = LoadReport(
      LoadMeasurements(LoadSpan(warmUp: 0, duration: 10, grace: 10)), pace: .open(batchesPerSecond: 2), clients: 4,
      seconds: 0, isInterrupted: false, processorTime: ProcessorTime(coordinator: nil, workers: [:]), workers: nil,
      pool: nil, isRestarted: false, remaining: 0, failIf: [])
    #expect(report.text.contains("coordinator unknown"))
    #expect(report.text.contains("workers unknown"))
    #expect(report.text.contains("latency     unknown"))
    #expect(report.batchesPerSecond == 0 && report.throughput.isEmpty)
  }

  @Test func aRunMeetsALimitIfThe99thPercentileIsBelowIt() {
    #expect(report().meets(p99: 99.1))
    #expect(!report().meets(p99: 98.9))
  }

  @Test func anInterruptedRunReportsTheMeasuredTime() {
    let report = report(seconds: 5)
    #expect(report.throughput.count == LoadMeasurements.parts / 2)
    #expect(report.seconds == 5)
  }

  @Test func anInterruptedRunSaysSo() throws {
    let report = report(
      { $0.record(BatchOutcome(intendedStart: 1, ended: 5, end: .late)) }, seconds: 5, isInterrupted: true)
    #expect(report.text.hasPrefix("closed loop of 4 clients, 5.0 s measured, interrupted\n"), "\(report.text)")
    #expect(report.text.contains("\n  1 late: not complete when the run was interrupted; canceled"), "\(report.text)")
    let fields = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
    #expect(fields?["interrupted"] as? Bool == true)
  }

  @Test func theJSONHasTheFiguresButNotTheHistogram() throws {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report()))
    let fields = try #require(json as? [String: Any])
    #expect(fields["rowsPerSecond"] as? Double == 5000)
    #expect((fields["latency"] as? [String: Double])?["p999"] == report().latency?.p999)
    #expect(fields["latencies"] == nil)
  }

  @Test func theColumnsOfATableAreAlignedWithTheirTitles() {
    let header = LoadTable.header("rate")
    let line = LoadTable.line("8.00", report())
    #expect(header.count == line.count)
    #expect(line.split(separator: " ") == ["8.00", "9.90", "5000", "50.0", "99.0", "100.0", "0", "0", "9.00"])
  }

  @Test func thePlotIsWellFormedAndNamesItsUnits() throws {
    for report in [report(), report(pace: .open(batchesPerSecond: 10), seconds: 0)] {
      let svg = LoadPlot.svg(report)
      #expect(XMLParser(data: Data(svg.utf8)).parse())
      for word in ["latency (ms)", "percentile of batches", "throughput (rows/s)", "time (s", "99 %"] {
        #expect(svg.contains(word), "\(word)")
      }
      #expect(!svg.contains("nan") && !svg.contains("inf"))
    }
  }
}
