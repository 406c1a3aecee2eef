import Foundation
import FoundationXML
import Testing

@testable import LoadTesting

@Suite struct LoadReportTests {
  private func report(
    _ change: (inout LoadMeasurements) -> Void = { _ in }, pace: Pace = .closed, seconds: Double = 10,
    time: ProcessorTime = ProcessorTime(coordinator: 25, workers: [1: 400, 2: 500])
  ) -> LoadReport {
    var measurements = LoadMeasurements(LoadSpan(warmUp: 0, duration: 10, grace: 10))
    for batch in 0..<100 {
      let start = Double(batch) / 10
      measurements.record(BatchOutcome(intendedStart: start, ended: start + Double(batch + 1) / 1000, end: .done))
      measurements.record(rows: 500, bad: 0, now: start)
    }
    change(&measurements)
    return LoadReport(measurements, pace: pace, clients: 4, seconds: seconds, processorTime: time)
  }

  /// Linux has 100 ticks per second on all architectures that Swift supports.
  @Test func theTextHasAllFigures() {
    #expect(
      report().text == """
        closed loop of 4 clients, 10.0 s measured
        throughput  9.90 batches/s, 5000 rows/s (99 batches, 50000 rows)
        latency     p50 50.0  p90 90.0  p99 99.0  p99.9 100.0  max 100.0 ms
        errors      none
        processor   coordinator 0.25 s, 2 workers 9.00 s
        """)
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
      seconds: 0, processorTime: ProcessorTime(coordinator: nil, workers: [:]))
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
