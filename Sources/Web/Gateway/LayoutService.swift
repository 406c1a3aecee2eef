import HTTPServing
import PoolClient
import PoolClientCore
import PoolProtocol
import PoolSecurity
import Processes
import Synchronization
import ZeroMQ

/// A client of a pool that has layouts done for clients of HTTP.
public final class LayoutService: Sendable {
  private let cells: NamedCells
  private let token: BearerToken?
  private let limits: GatewayLimits
  private let log: Log
  private let clients: BatchClients
  private let monitor: PoolMonitor
  private let description: HTTPResponse
  /// The times of requests by route, from the head of a request to the last byte of its response or the end of its connection.
  private let times = Mutex<[Route: TimeHistogram]>([:])
  /// What the server has counted that has this gateway handle its requests.
  public let counts = ServerCounts()

  /// - Parameters:
  ///   - endpoint: The endpoint of the coordinator.
  ///   - keys: The keys of the gateway, where the coordinator accepts by key.
  ///   - token: The token that requests have to state, or nil if they need none.
  public init(
    endpoint: String, keys: ClientKeys?, cells: NamedCells, token: BearerToken?, _ limits: GatewayLimits, log: Log
  ) throws {
    (self.cells, self.token, self.limits, self.log) = (cells, token, limits, log)
    clients = try BatchClients(endpoint: endpoint, keys: keys)
    monitor = PoolMonitor(clients, log: log)
    description = RoutesDescription.response(cells: cells.names, needsToken: token != nil)
  }

  /// Waits for the first state of a coordinator that is there. Without it, requests for layouts get the status 503 until `run` has one.
  public func findCoordinator(shouldStop: @escaping () -> Bool) { monitor.askForFirstState(shouldStop: shouldStop) }

  /// Watches the pool until `shouldStop`.
  public func run(shouldStop: () -> Bool) throws { try monitor.run(shouldStop: shouldStop) }

  /// Records the time that a request took; see `HTTPServer`.
  public func noteEnd(of request: HTTPRequest?, after nanoseconds: UInt64) {
    let route = request.map { Route($0.path) } ?? .other
    times.withLock { $0[route, default: TimeHistogram()].record(nanoseconds) }
  }

  /// Returns what is done with a request.
  public func handle(_ request: HTTPRequest) -> HTTPReply {
    do throws(Problem) { return try route(request) } catch { return .response(error.response) }
  }

  private func route(_ request: HTTPRequest) throws(Problem) -> HTTPReply {
    let route = Route(request.path)
    switch route {
    case .pages, .health, .readiness, .description: try require(["GET", "HEAD"], request)
    case .layouts, .status, .events, .batches, .metrics, .other: try authorize(request)
    }
    switch route {
    case .pages:
      guard let page = DashboardPages.response(for: request.path) else { throw .notFound }
      return .response(page)
    case .health: return .response(.unstored("ok\n", type: "text/plain"))
    case .readiness:
      let obstacle = Readiness.obstacle(monitor.status, isFull: counts.values.isFull)
      return .response(obstacle?.response ?? .unstored("ready\n", type: "text/plain"))
    case .description: return .response(description)
    case .layouts:
      try require(["POST"], request)
      // What such a client sends is not received.
      guard !request.isHTTP10 || request.bodySize != nil else {
        throw Problem(411, "Length required", "A request of HTTP/1.0 needs the header Content-Length.")
      }
      return try layouts(request)
    case .status:
      try require(["GET", "HEAD"], request)
      return work { gateway in
        .json(
          try gateway.clients.coordinatorClient()
            .status(milliseconds: PoolMonitor.timeout, shouldStop: gateway.hasLostCoordinator).json())
      }
    case .events:
      try require(["GET"], request)
      return .events(monitor.events)
    case .metrics:
      try require(["GET", "HEAD"], request)
      let metrics = Metrics(monitor.status, counts.values, times.withLock { $0 }, eventClients: monitor.events.clients)
      return .response(.unstored(metrics.text, type: Metrics.type))
    case .batches: return try batch(request.path[2], request)
    case .other: throw .notFound
    }
  }

  private func require(_ methods: [String], _ request: HTTPRequest) throws(Problem) {
    guard methods.contains(request.method) else { throw .method(allowed: methods.joined(separator: ", ")) }
  }

  private func authorize(_ request: HTTPRequest) throws(Problem) {
    guard let token, !token.isIn(request) else { return }
    throw Problem(
      401, "No token", "The request lacks the right token in the header Authorization: Bearer TOKEN.",
      headers: [("www-authenticate", "Bearer")])
  }

  // MARK: Routes

  private func layouts(_ request: HTTPRequest) throws(Problem) -> HTTPReply {
    let query = try LayoutsQuery(request, cells: cells.names)
    if let obstacle = Readiness.obstacle(monitor.status) { throw obstacle }
    guard let batch = cells.request(query.cells, query.variants, input: "a request for layouts") else {
      throw .notFound
    }
    let run = LayoutsRun(
      query: query, request: batch, clients: clients, monitor: monitor, limits: limits,
      deadline: Clock.monotonic() + limits.seconds * 1_000_000_000, log: log)
    return .work { run.run($0, $1) }
  }

  private func batch(_ name: String, _ request: HTTPRequest) throws(Problem) -> HTTPReply {
    try require(["GET", "HEAD", "DELETE"], request)
    if request.method == "DELETE" {
      return work { gateway in
        try gateway.clients.withClient { try $0.cancel(name, shouldStop: gateway.hasLostCoordinator) }
        return HTTPResponse(status: 204)
      }
    }
    return work { gateway in
      let batches = try gateway.clients.coordinatorClient().batches(shouldStop: gateway.hasLostCoordinator)
      guard let batch = batches.first(where: { $0.name == name }) else {
        throw Problem(404, "No such batch", "The coordinator has no batch \"\(name)\".")
      }
      return .json(try batch.json())
    }
  }

  /// Returns a reply that asks the coordinator on a thread that may wait.
  private func work(_ ask: @escaping @Sendable (LayoutService) throws -> HTTPResponse) -> HTTPReply {
    .work { body, response in
      body.discard()
      response.respond(Self.response { try ask(self) })
    }
  }

  /// Whether a reply of the coordinator is awaited in vain.
  private func hasLostCoordinator() -> Bool { monitor.hasLostCoordinator }

  private static func response(_ ask: () throws -> HTTPResponse) -> HTTPResponse {
    do { return try ask() } catch let problem as Problem {
      return problem.response
    } catch PoolError.failed(let reason) {
      return Problem(404, "No such batch", "\(reason).").response
    } catch let error as ZeroMQError {
      return Problem(503, "No coordinator", error.description, retrySeconds: 1).response
    } catch {
      return Problem.noCoordinator.response
    }
  }
}
