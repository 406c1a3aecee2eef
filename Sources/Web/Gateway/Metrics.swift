import HTTPServing
import PoolProtocol
import Processes

/// The state of a pool and of the gateway in the text format of Prometheus.
struct Metrics {
  static let type = "text/plain; version=0.0.4; charset=utf-8"
  /// The number of workers that have series of their own, so that the number of series is bounded.
  static let workers = 256

  private enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// - Parameters:
  ///   - status: The state of the pool; nil while the coordinator does not reply.
  ///   - counts: What the server has counted.
  ///   - times: The times of requests by route.
  ///   - eventClients: The number of clients that receive events.
  init(
    _ status: PoolStatus?, _ counts: ServerCounts.Values, _ times: [Route: TimeHistogram], eventClients: Int
  ) {
    add("galley_up", .gauge, "Whether the coordinator replies.", status == nil ? 0 : 1)
    addGateway(counts, eventClients)
    addTimes(times)
    guard let status else { return }
    addPool(status)
    addHealth(status)
    if status.metrics.uptime > 0 { addMetrics(status.metrics) }
    addWorkers(status.workers.prefix(Self.workers))
  }

  private mutating func addGateway(_ counts: ServerCounts.Values, _ eventClients: Int) {
    add("galley_gateway_memory_bytes", .gauge, "The resident memory of the gateway.", ResidentMemory.bytes)
    add("galley_gateway_connections", .gauge, "The open connections.", counts.connections)
    add(
      "galley_gateway_accepted_connections_total", .counter, "The connections that clients have made.", counts.accepted)
    add(
      "galley_gateway_requests", .gauge, "The requests whose responses are not complete, without those for events.",
      counts.requests)
    add("galley_gateway_event_clients", .gauge, "The clients that receive events.", eventClients)
    begin("galley_gateway_responses_total", .counter, "The responses by status code.")
    for (code, count) in counts.responses.sorted(by: { $0.key < $1.key }) {
      sample("galley_gateway_responses_total", [("code", "\(code)")], count)
    }
  }

  /// All routes are there from the start, so that rates can be taken of the first requests.
  private mutating func addTimes(_ times: [Route: TimeHistogram]) {
    let name = "galley_gateway_request_time_seconds"
    begin(
      name, .histogram,
      "The times from the heads of requests to the last bytes of their responses, or to the ends of their connections.")
    for route in Route.allCases {
      addSamples(of: times[route] ?? TimeHistogram(), name, [("route", route.rawValue)])
    }
  }

  private mutating func addPool(_ status: PoolStatus) {
    add(
      "galley_coordinator_info", .gauge, "The version and the machine of the coordinator.", 1,
      [("version", status.version), ("host", status.host)])
    add("galley_coordinator_memory_bytes", .gauge, "The resident memory of the coordinator.", status.memory)
    add("galley_workers", .gauge, "The connected workers.", status.workerCount)
    add("galley_batches", .gauge, "The batches that the coordinator has.", status.batchCount)
    add("galley_clients", .gauge, "The connected clients.", status.clientCount)
    add("galley_rows_per_second", .gauge, "The rows laid out per second over the last seconds.", status.rowsPerSecond)
    // The list of batches is bounded, so these are lower bounds when the coordinator has very many batches.
    add(
      "galley_jobs_queued", .gauge, "The jobs of the listed batches that wait for a worker.",
      status.batches.reduce(0) { $0 + UInt64($1.queued) })
    add(
      "galley_jobs_running", .gauge, "The jobs of the listed batches that workers have.",
      status.batches.reduce(0) { $0 + UInt64($1.running) })
  }

  /// Adds what shows that batches or jobs wait for something.
  private mutating func addHealth(_ status: PoolStatus) {
    add(
      "galley_coordinator_accepting", .gauge, "Whether the coordinator accepts batches.", status.accepting ? 1 : 0)
    add(
      "galley_batches_paused", .gauge, "The batches whose journals cannot be written or read now.", status.pausedBatches
    )
    add("galley_spool_bytes", .gauge, "The bytes of journals and programs in the spool.", status.spoolBytes)
    add("galley_spool_limit_bytes", .gauge, "The limit of the spool, or 0 without a limit.", status.spoolLimit)
    add(
      "galley_jobs_late", .gauge, "The listed workers whose jobs take longer than expected.",
      status.workers.count { $0.late && $0.jobs > 0 })
  }

  private mutating func addMetrics(_ metrics: PoolMetrics) {
    add("galley_coordinator_uptime_seconds", .gauge, "The time since the coordinator was started.", metrics.uptime)
    let counters: [(name: String, help: String, value: UInt64)] = [
      ("batches_accepted", "The batches that clients submitted.", metrics.batchesAccepted),
      ("batches_recovered", "The batches that an earlier coordinator had kept.", metrics.batchesRecovered),
      ("batches_done", "The batches whose rows are all done.", metrics.batchesDone),
      ("batches_failed", "The batches that failed.", metrics.batchesFailed),
      ("batches_cancelled", "The batches that were cancelled or whose clients were lost.", metrics.batchesCancelled),
      ("jobs_done", "The jobs whose results workers have sent.", metrics.jobsDone),
      ("jobs_retried", "The times that a job was sent again because its worker was lost.", metrics.retries),
      ("rows_done", "The rows whose results workers have sent.", metrics.rowsDone),
      ("jobs_copied", "The copies of late jobs that were sent to other workers.", metrics.jobsCopied),
      ("results_refused", "The replies of workers to jobs that were damaged or invalid.", metrics.resultsRefused),
      (
        "worker_restarts", "The worker processes of the coordinator that were started in the place of others.",
        metrics.workerRestarts
      ),
      ("keys_refused", "The connections that were refused because of their keys.", metrics.keysRefused),
      (
        "connections_closed", "The connections that were closed because they exceeded a bound.",
        metrics.connectionsClosed
      ),
      ("workers_lost", "The workers that ended or disconnected without leaving in good order.", metrics.lostWorkers),
      ("received_rows_bytes", "The bytes of rows that clients have sent.", metrics.rowBytesReceived),
      ("sent_results_bytes", "The bytes of results that clients were sent.", metrics.resultBytesSent),
    ]
    for counter in counters { add("galley_\(counter.name)_total", .counter, counter.help, counter.value) }
    add(
      "galley_queue_time_seconds", "The times for which the rows of jobs waited for a worker.", metrics.queueTime)
    add(
      "galley_layout_time_seconds", "The times from when jobs were sent to workers until their results came.",
      metrics.layoutTime)
    add(
      "galley_batch_time_seconds", "The times from when batches were accepted until their last results were sent.",
      metrics.batchTime)
  }

  private mutating func addWorkers(_ workers: ArraySlice<PoolStatus.Worker>) {
    let labels = workers.map { [("worker", $0.name), ("host", $0.host), ("pid", "\($0.pid)")] }
    let families: [(name: String, kind: Kind, help: String, value: (PoolStatus.Worker) -> String)] = [
      ("galley_worker_rows_total", .counter, "The rows that a worker has laid out.", { "\($0.rows)" }),
      ("galley_worker_seen_seconds", .gauge, "The time since a worker's last message.", { "\($0.seen)" }),
      (
        "galley_worker_job_age_seconds", .gauge,
        "The time for which a worker has been executing its job; 0 without a job.",
        { "\($0.jobAge)" }
      ),
      ("galley_worker_jobs", .gauge, "The jobs that a worker has.", { "\($0.jobs)" }),
      (
        "galley_worker_cache_hit_ratio", .gauge, "The share of the texts' segments that a worker's cache had.",
        { "\($0.cacheHitRate)" }
      ),
    ]
    for family in families {
      begin(family.name, family.kind, family.help)
      for (worker, labels) in zip(workers, labels) { sample(family.name, labels, family.value(worker)) }
    }
  }

  // MARK: Text

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func sample(
    _ name: String, _ labels: [(name: String, value: String)], _ value: some CustomStringConvertible
  ) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
  }

  private mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ value: some CustomStringConvertible,
    _ labels: [(name: String, value: String)] = []
  ) {
    begin(name, kind, help)
    sample(name, labels, value)
  }

  private mutating func add(_ name: String, _ help: String, _ histogram: TimeHistogram) {
    begin(name, .histogram, help)
    addSamples(of: histogram, name, [])
  }

  private mutating func addSamples(
    of histogram: TimeHistogram, _ name: String, _ labels: [(name: String, value: String)]
  ) {
    for (bound, count) in zip(TimeHistogram.bounds, histogram.cumulativeCounts) {
      sample("\(name)_bucket", labels + [("le", "\(bound)")], count)
    }
    sample("\(name)_bucket", labels + [("le", "+Inf")], histogram.count)
    sample("\(name)_sum", labels, histogram.sum)
    sample("\(name)_count", labels, histogram.count)
  }

  /// Names of machines come from peers. A quotation mark with a combining mark is one character, but two scalars.
  private static func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
