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
  let limits: GatewayLimits
  let log: Log

  func run(_ body: RequestBody, _ response: ResponseStream) {
    let deadline = Clock.monotonic() + limits.seconds * 1_000_000_000
    do {
      let reader = try RowsReader(body: body.descriptor, name: "body", isInteractive: !body.isComplete)
      let rows = BoundedRows(reader, limits)
      do { try layOut(rows, isWhole: body.isComplete, response, until: deadline) } catch PoolError.interrupted {
        if let problem = rows.problem { throw problem }
        throw PoolError.interrupted
      }
    } catch is ResponseStream.Closed {
      // The client has ended the connection.
    } catch {
      guard !response.isClosed else { return }
      let problem = self.problem(of: error, hasTimePassed: Clock.monotonic() > deadline)
      log.warning("a request for layouts failed: \(problem.detail)")
      response.respond(problem.response)
    }
  }

  private func layOut(_ rows: BoundedRows, isWhole: Bool, _ response: ResponseStream, until deadline: UInt64) throws {
    let results = try ResultsWriter(query, to: response)
    try clients.withClient { client in
      try client.run(
        request, rows: rows,
        shouldStop: {
          // The end of a stream could be awaited for long.
          response.isClosed || rows.problem != nil || Clock.monotonic() > deadline
            || !isWhole && Interruption.isRequested
        },
        take: { count, columns in
          try results.take(count, columns)
          if !isWhole { try results.flush() }
        })
      // The last rows may be those beyond a limit.
      if let problem = rows.problem { throw problem }
      try results.finish()
      try client.complete()
    }
  }

  func problem(of error: any Error, hasTimePassed: Bool) -> Problem {
    switch error {
    case let problem as Problem: problem
    case let error as RowsError: Problem(400, "Body without rows", "\(error.name) \(error.reason).")
    case let error as PoolError: problem(of: error, hasTimePassed: hasTimePassed)
    case let error as ZeroMQError: Problem(503, "No coordinator", error.description, retrySeconds: 1)
    default: Problem(502, "Layout failed", "The pool could not do the layout: \(error).")
    }
  }

  private func problem(of error: PoolError, hasTimePassed: Bool) -> Problem {
    switch error {
    case .interrupted where hasTimePassed:
      Problem(504, "Time limit", "The layout took more than \(limits.seconds) s; send the rows in several requests.")
    case .interrupted: Problem(503, "Stopped", "The gateway stops.", retrySeconds: 1)
    case .silent: .noCoordinator
    case .failed(let reason): Problem(502, "Layout failed", "The pool could not do the layout: \(reason).")
    // Whatever else there is comes from a coordinator that has ended or lost what it had.
    default:
      Problem(
        503, "Coordinator restarted", "The coordinator ended during the layout; send the rows again.", retrySeconds: 1)
    }
  }
}

extension Problem {
  static let noCoordinator = Problem(503, "No coordinator", "The coordinator does not reply.", retrySeconds: 1)
}
