import Dispatch
import Foundation
import PoolClient
import PoolProtocol
import PoolSecurity
import Processes
import Synchronization
import ZeroMQ

/// Puts a load on a coordinator for some time and measures what comes of it.
public final class LoadRun: Sendable {
  /// Seconds between looks at whether the user has interrupted.
  private static let look = 0.05

  let load: Load
  let context: Context
  let endpoint: String
  let keys: ClientKeys?
  let span: LoadSpan
  let measurements: Mutex<LoadMeasurements>
  private let pace: Pace
  private let clients: Int
  /// Locked by the one client that waits for the next batch's start; the other idle ones wait for the lock.
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

  /// Runs until the span is over and all batches have ended or are given up, or the user interrupts.
  ///
  /// - Parameter clients: batches under way at a time.
  /// - Throws: when the coordinator does not answer at the start.
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

  /// Seconds from the start of the run.
  var now: Double {
    let passed = begin.duration(to: .now).components
    return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
  }

  /// Waits for the next batch's start; nil when there is none.
  func nextArrival() -> Arrivals.Arrival? {
    arrivals.withLock { arrivals in
      guard let arrival = arrivals.next(now: now), wait(until: arrival.start) else { return nil }
      return arrival
    }
  }

  /// Whether the moment has come; otherwise the user has interrupted.
  @discardableResult
  private func wait(until moment: Double) -> Bool {
    while !Interruption.isRequested {
      let rest = moment - now
      if rest <= 0 { return true }
      Thread.sleep(forTimeInterval: min(rest, Self.look))
    }
    return false
  }
}
