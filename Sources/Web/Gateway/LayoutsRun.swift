import Glibc
import HTTPServing
import PoolClient
import PoolClientCore
import Processes
import RowsFiles
import ZeroMQ

/// A request for layouts that is worked on: it lays out the rows of the body with the pool, and writes the results to the
/// response while they come.
struct LayoutsRun {
  let query: LayoutsQuery
  let request: BatchRequest
  let clients: BatchClients
  let monitor: PoolMonitor
  let limits: GatewayLimits
  /// The time of the monotonic clock at which the limit of the request ends, in nanoseconds.
  let deadline: UInt64
  let log: Log

  func run(_ body: RequestBody, _ response: ResponseStream) {
    var obstacle: Problem?
    let shouldStop = {
      if obstacle == nil { obstacle = self.obstacle(isWhole: body.isComplete) }
      return obstacle != nil || response.isClosed
    }
    do {
      let isWhole = body.isComplete
      let reader = try RowsReader(
        body: body.descriptor, name: "body", isInteractive: !isWhole, shouldStop: shouldStop)
      let rows = BoundedRows(reader, limits)
      try layOut(rows, isWhole: isWhole, response) { rows.problem != nil || shouldStop() }
    } catch {
      // Without a problem, the client has ended the connection, or what it sent was refused. At the deadline, the server ends it.
      guard !response.isEnded || Clock.monotonic() > deadline else { return }
      let problem = response.isEnded ? timeLimit : obstacle ?? self.problem(of: error)
      log.warning("a request for layouts failed: \(problem.detail)")
      response.respond(problem.response)
    }
  }

  /// Returns the reason why the layout cannot continue; nil if it can.
  private func obstacle(isWhole: Bool) -> Problem? {
    if Clock.monotonic() > deadline { return timeLimit }
    if monitor.hasLostCoordinator { return .noCoordinator }
    // The end of a stream could be awaited for long.
    return !isWhole && Interruption.isRequested ? .stopped : nil
  }

  private var timeLimit: Problem {
    Problem(504, "Time limit", "The request took more than \(limits.seconds) s; send the rows in several requests.")
  }

  private func layOut(
    _ rows: BoundedRows, isWhole: Bool, _ response: ResponseStream, shouldStop: () -> Bool
  ) throws {
    let results = try ResultsWriter(query, to: response)
    try clients.withClient { client in
      do {
        try client.run(
          request, rows: rows, shouldStop: shouldStop,
          take: { count, columns in
            try results.take(count, columns)
            if !isWhole { try results.flush() }
          })
      } catch PoolError.interrupted {
        throw rows.problem ?? .stopped
      }
      // The last rows may be those beyond a limit.
      if let problem = rows.problem { throw problem }
      try results.finish()
      try client.complete()
    }
  }

  private func problem(of error: any Error) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as RowsError: Problem(400, "Body without rows", "\(error.name) \(error.reason).")
    case PoolError.silent: .noCoordinator
    case PoolError.refused(let reason):
      Problem(503, "Layout refused", "The pool did not accept the layout: \(reason).", retrySeconds: 1)
    case PoolError.failed(let reason): Problem(502, "Layout failed", "The pool could not do the layout: \(reason).")
    // Whatever else there is comes from a coordinator that has ended or lost what it had.
    case is PoolError:
      Problem(
        503, "Coordinator restarted", "The coordinator ended during the layout; send the rows again.", retrySeconds: 1)
    case let error as ZeroMQError: Problem(503, "No coordinator", error.description, retrySeconds: 1)
    default: Problem(502, "Layout failed", "The pool could not do the layout: \(error).")
    }
  }
}

extension Problem {
  static let noCoordinator = Problem(503, "No coordinator", "The coordinator does not reply.", retrySeconds: 1)
}
