import HTTPServing
import PoolProtocol
import SeededRandom
import Testing

@testable import Gateway

/// Tests of the metrics in the text format of Prometheus.
@Suite struct MetricsTests {
  /// Returns the values of all samples by their names with labels.
  private func samples(
    _ status: PoolStatus?, _ counts: ServerCounts.Values = .init(), _ times: [Route: TimeHistogram] = [:]
  ) throws -> [String: Double] {
    var samples: [String: Double] = [:]
    for line in Metrics(status, counts, times, eventClients: 0).text.split(separator: "\n") where !line.hasPrefix("#") {
      let space = try #require(line.lastIndex(of: " "))
      let name = String(line[..<space])
      #expect(samples[name] == nil, "\(name) is there twice")
      guard let value = Double(line[line.index(after: space)...]) else {
        Issue.record("\(line) has no number")
        continue
      }
      samples[name] = value
    }
    return samples
  }

  @Test func bucketsCountTheDurationsUpToTheirBounds() throws {
    var random = SplitMix(seed: 21)
    for _ in 0..<50 {
      let durations = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt64.random(in: 0...(1 << UInt64.random(in: 10...37, using: &random)), using: &random)
      }
      var status = PoolStatus()
      status.metrics.uptime = 1
      for duration in durations { status.metrics.queueTime.record(duration) }
      let samples = try samples(status)
      for bound in TimeHistogram.bounds {
        let count = durations.count { Double($0) / 1e9 <= bound }
        #expect(samples["galley_queue_time_seconds_bucket{le=\"\(bound)\"}"] == Double(count))
      }
      #expect(samples["galley_queue_time_seconds_bucket{le=\"+Inf\"}"] == Double(durations.count))
      #expect(samples["galley_queue_time_seconds_count"] == Double(durations.count))
      let sum = durations.reduce(0) { $0 + Double($1) / 1e9 }
      #expect(abs(try #require(samples["galley_queue_time_seconds_sum"]) - sum) < 1e-6)
    }
  }

  @Test func namesFromPeersCannotEndALabel() throws {
    var status = PoolStatus()
    var worker = PoolStatus.Worker()
    (worker.name, worker.host, worker.pid, worker.rows) = ("worker 1", "a\"} 1\nb\\\"\u{301}", 7, 42)
    status.workers = [worker]
    let name = #"galley_worker_rows_total{worker="worker 1",host="a\"} 1\nb\\\""# + "\u{301}\",pid=\"7\"}"
    #expect(try samples(status)[name] == 42)
  }

  @Test func theNumberOfSeriesIsBounded() throws {
    var status = PoolStatus()
    status.workers = (0..<2 * Metrics.workers).map { number in
      var worker = PoolStatus.Worker()
      worker.name = "worker \(number)"
      return worker
    }
    #expect(try samples(status).keys.count { $0.hasPrefix("galley_worker_jobs{") } == Metrics.workers)
  }

  @Test func requestsAreTimedByRoute() throws {
    var times: [Route: TimeHistogram] = [:]
    for (path, nanoseconds) in [
      ("v1/layouts", 30_000_000), ("v1/layouts", 3_000_000_000), ("v1/batches/x", 1), ("no/such/path", 1),
    ] {
      times[Route(path.split(separator: "/").map(String.init)), default: TimeHistogram()].record(UInt64(nanoseconds))
    }
    let samples = try samples(nil, .init(), times)
    let name = "galley_gateway_request_time_seconds"
    #expect(samples["\(name)_bucket{route=\"layouts\",le=\"0.05\"}"] == 1)
    #expect(samples["\(name)_count{route=\"layouts\"}"] == 2)
    #expect(samples["\(name)_sum{route=\"layouts\"}"] == 3.03)
    #expect(samples["\(name)_count{route=\"batches\"}"] == 1 && samples["\(name)_count{route=\"other\"}"] == 1)
    #expect(samples["\(name)_count{route=\"status\"}"] == 0)
  }

  @Test func withoutACoordinatorThereAreTheMetricsOfTheGateway() throws {
    let samples = try samples(nil)
    #expect(samples["galley_up"] == 0)
    #expect(samples["galley_gateway_connections"] == 0)
    #expect(samples["galley_workers"] == nil)
  }
}
