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
  let activity = Mutex(LoadActivity())
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
  /// - Parameters:
  ///   - clients: The greatest number of concurrent batches.
  ///   - report: A function that receives the progress of the run several times a second.
  /// - Throws: `PoolError` if the coordinator does not reply at the start, or refuses batches of the key.
  public static func run(
    _ load: Load, _ context: Context, endpoint: String, keys: ClientKeys? = nil, pace: Pace, clients: Int,
    span: LoadSpan, failIf thresholds: [LoadThreshold] = [],
    report: (LoadProgress) -> Void = { _ in }
  ) throws -> LoadReport {
    let coordinator = try CoordinatorClient(context, endpoint: endpoint, keys: keys)
    let status = try coordinator.status()
    // The coordinator refuses this request of a key that may not use batches. The run ends here, because its batches would fail too.
    _ = try coordinator.batches()
    let processes = PoolProcesses(status, isLocal: ["ipc:", "inproc:"].contains { endpoint.hasPrefix($0) })
    let run = LoadRun(
      load, context, endpoint: endpoint, keys: keys, pace: pace, clients: clients, span: span)
    return run.run(processes, thresholds, report)
  }

  private func run(
    _ processes: PoolProcesses, _ thresholds: [LoadThreshold], _ report: (LoadProgress) -> Void
  ) -> LoadReport {
    let group = DispatchGroup()
    for _ in 0..<clients {
      group.enter()
      Thread.detachNewThread {
        self.submitBatches()
        group.leave()
      }
    }
    wait(until: span.begin) { report($0) }
    let timeBefore = processes.time()
    let statusBefore = readStatus()
    wait(until: span.end) { report($0) }
    let timeAfter = processes.time()
    let end = min(now, span.end)
    let statusAfter = readStatus()
    while group.wait(timeout: .now() + Self.pollInterval) == .timedOut { report(progress) }
    let isInterrupted = Interruption.isRequested
    let remaining = waitUntilBatchesAreDiscarded(report)
    let pool = statusBefore.flatMap { statusAfter?.status.metrics(since: $0.status) }
    return LoadReport(
      measurements.withLock { $0 }, pace: pace, clients: clients, seconds: max(end - span.begin, 0),
      isInterrupted: isInterrupted, processorTime: timeAfter.since(timeBefore),
      workers: WorkerRows(from: statusBefore, to: statusAfter), pool: pool,
      isRestarted: statusBefore != nil && statusAfter != nil && pool == nil, remaining: remaining, failIf: thresholds)
  }

  /// The time in seconds in which the coordinator has to discard the batches, also if the user interrupted the run.
  private static let discardTimeout = 60.0
  private static let discardTimeoutOfInterruption = 5.0
  /// The time in seconds without a reply after which the coordinator counts as lost. A busy one replies late.
  private static let silenceTimeout = 10.0

  /// Waits until the coordinator has discarded all batches of the run, so that they neither remain in its spool nor slow
  /// down the next run. The end of the process would discard the last messages of clients, which complete or cancel
  /// their batches, while libzmq still sends them. Batches of others do not count.
  ///
  /// - Returns: The number of batches that the coordinator still has; nil if it did not report that.
  private func waitUntilBatchesAreDiscarded(_ report: (LoadProgress) -> Void) -> Int? {
    guard activity.withLock({ $0.completed + $0.canceled }) > 0 else { return 0 }
    let begin = now
    var lastReply = begin
    var remaining: Int?
    while remaining != 0 {
      let timeout = Interruption.isRequested ? Self.discardTimeoutOfInterruption : Self.discardTimeout
      guard now - begin < timeout, now - lastReply < Self.silenceTimeout else { break }
      let batches = try? CoordinatorClient(context, endpoint: endpoint, keys: keys).batches()
      if batches != nil { lastReply = now }
      remaining = batches?.count { $0.input == load.request.input }
      let activity = activity.withLock { $0 }
      report(LoadProgress(.discarding, elapsed: now - begin, length: timeout, open: remaining, activity))
      Thread.sleep(forTimeInterval: Self.pollInterval)
    }
    return remaining
  }

  private func readStatus() -> WorkerRows.Reading? {
    let status = try? CoordinatorClient(context, endpoint: endpoint, keys: keys).status()
    return status.map { ($0, now) }
  }

  private var progress: LoadProgress { LoadProgress(span, now: now, activity.withLock { $0 }) }

  /// The current time in seconds from the start of the run.
  var now: Double { begin.duration(to: .now).seconds }

  /// Waits for the start of the next batch and returns it, or returns nil if there is none.
  func nextArrival() -> Arrivals.Arrival? {
    arrivals.withLock { arrivals in
      // Batches whose start was due before an interruption count, even if all clients were busy.
      if Interruption.isRequested { arrivals.stop(at: now) }
      guard let arrival = arrivals.next(now: now), wait(until: arrival.start) else { return nil }
      return arrival
    }
  }

  /// Waits until a time of the run, or until the user interrupts the run. Returns whether the time has come.
  @discardableResult
  private func wait(until time: Double, report: (LoadProgress) -> Void = { _ in }) -> Bool {
    while !Interruption.isRequested {
      report(progress)
      let rest = time - now
      if rest <= 0 { return true }
      Thread.sleep(forTimeInterval: min(rest, Self.pollInterval))
    }
    return time <= now
  }
}
