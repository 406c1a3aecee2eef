import PoolClient
import PoolSecurity
import Synchronization
import ZeroMQ

/// The connections of a gateway to its coordinator: clients that are kept from request to request.
final class BatchClients: Sendable {
  /// A client that no thread uses.
  private struct Idle: @unchecked Sendable {
    // A socket may pass from thread to thread if there is a full memory barrier between them, which the lock is
    // (zmq_socket(3), "Thread safety").
    let client: BatchClient
  }

  let context: Context
  let endpoint: String
  let keys: ClientKeys?
  private let idle = Mutex<[Idle]>([])

  init(endpoint: String, keys: ClientKeys?) throws {
    context = try Context()
    self.endpoint = endpoint
    self.keys = keys
  }

  /// Calls `body` with a client, which is kept for other requests unless `body` throws.
  func withClient<Result>(_ body: (BatchClient) throws -> Result) throws -> Result {
    let kept = idle.withLock { $0.popLast() }
    let client = try kept?.client ?? BatchClient(context, endpoint: endpoint, keys: keys)
    let result: Result
    do { result = try body(client) } catch {
      client.cancel()
      throw error
    }
    let idleClient = Idle(client: client)
    idle.withLock { $0.append(idleClient) }
    return result
  }

  /// Ends the connections that no thread uses.
  func forgetIdle() { idle.withLock { $0 = [] } }

  func statusWatch(warn: @escaping (String) -> Void) throws -> StatusWatch {
    try StatusWatch(context, endpoint: endpoint, keys: keys, warn: warn)
  }

  func coordinatorClient() throws -> CoordinatorClient {
    try CoordinatorClient(context, endpoint: endpoint, keys: keys)
  }
}
