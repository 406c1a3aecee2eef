import Dispatch
import Foundation
import PoolClient
import PoolProtocol
import PoolSecurity
import Processes
import Synchronization
import ZeroMQ

/// A run of a load test, which submits batches to a coordinator for some time and measures them.
public final class LoadRun: Sendable {
  /// The interval in seconds at which waiting threads check for an interruption.
  private static let pollInterval = 0.05

  let load: Load
  let context: Context
  let endpoint: String
  let keys: ClientKeys?
  let span: LoadSpan
  let measurements: Mutex<LoadMeasurements>
  private let pace: Pace
  private let clients: Int
  /// The arrivals. The client that waits for the start of the next batch has the lock, and other idle clients wait for
  /// it.
  private let arrivals: Mutex<Arrivals>
  private let begin = ContinuousClock.now

  private init(
    _ load: Load, _ context: Context, endpoint: String, keys: ClientKeys?, pace: Pace, clients: Int, span: LoadSpan
  ) {
    self.load = load
    self.context = context
    self.endpoint = endpoint
    self.keys = keys
    self.pace = pace
    self.clients = clients
    self.span = span
    measurements = Mutex(LoadMeasurements(span))
    arrivals = Mutex(Arrivals(pace, until: span.end))
  }

  /// Runs until all batches are complete or canceled, or the user interrupts the run. Returns its results.
  ///
  /// - Parameter clients: The greatest number of concurrent batches.
  /// - Throws: `PoolError` if the coordinator does not reply at the start.
  public static func run(
    _ load: Load, _ context: Context, endpoint: String, keys: ClientKeys? = nil, pace: Pace, clients: Int,
    span: LoadSpan
  ) throws -> LoadReport {
    let status = try StatusClient(context, endpoint: endpoint, keys: keys).status()
    let processes = PoolProcesses(status, isLocal: ["ipc:", "inproc:"].contains { endpoint.hasPrefix($0) })
    return LoadRun(load, context, endpoint: endpoint, keys: keys, pace: pace, clients: clients, span: span).run(
      processes)
  }

  private func run(_ processes: PoolProcesses) -> LoadReport {
    let group = DispatchGroup()
    for _ in 0..<clients {
      let client = LoadClient(self)
      group.enter()
      Thread.detachNewThread {
        client.submitBatches()
        group.leave()
      }
    }
    wait(until: span.begin)
    let timeBefore = processes.time()
    wait(until: span.end)
    let timeAfter = processes.time()
    let end = min(now, span.end)
    group.wait()
    return LoadReport(
      measurements.withLock { $0 }, pace: pace, clients: clients, seconds: max(end - span.begin, 0),
      processorTime: timeAfter.since(timeBefore))
  }

  /// The current time in seconds from the start of the run.
  var now: Double {
    let passed = begin.duration(to: .now).components
    return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
  }

  /// Waits for the start of the next batch and returns it, or returns nil if there is none.
  func nextArrival() -> Arrivals.Arrival? {
    arrivals.withLock { arrivals in
      guard let arrival = arrivals.next(now: now), wait(until: arrival.start) else { return nil }
      return arrival
    }
  }

  /// Waits until a time of the run. Returns false if the user interrupted the run before.
  @discardableResult
  private func wait(until time: Double) -> Bool {
    while !Interruption.isRequested {
      let rest = time - now
      if rest <= 0 { return true }
      Thread.sleep(forTimeInterval: min(rest, Self.pollInterval))
    }
    return false
  }
}
