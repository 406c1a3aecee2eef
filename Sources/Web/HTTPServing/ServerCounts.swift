import Synchronization

/// What a server has counted since it was started.
public final class ServerCounts: Sendable {
  /// The counts at one time.
  public struct Values: Equatable, Sendable {
    /// The open connections.
    public internal(set) var connections = 0
    /// The connections that clients have made.
    public internal(set) var accepted: UInt64 = 0
    /// The requests whose responses are not complete, without those for events.
    public internal(set) var requests = 0
    /// The requests that are worked on or wait for it.
    public internal(set) var works = 0
    /// Whether there is no place for a further request that has to be worked on.
    public internal(set) var isFull = false
    /// The responses that were begun, by their status codes.
    public internal(set) var responses: [Int: UInt64] = [:]

    public init() {}
  }

  private let state = Mutex(Values())

  public init() {}

  public var values: Values { state.withLock { $0 } }

  func openConnection() {
    state.withLock { values in
      values.connections += 1
      values.accepted += 1
    }
  }

  func closeConnection() { state.withLock { $0.connections -= 1 } }

  func beginRequest() { state.withLock { $0.requests += 1 } }

  func endRequest() { state.withLock { $0.requests -= 1 } }

  /// Counts a request that has to be worked on. Returns false if there is no place for it.
  func beginWork(capacity: Int) -> Bool {
    state.withLock { values in
      guard values.works < capacity else { return false }
      values.works += 1
      values.isFull = values.works == capacity
      return true
    }
  }

  func endWork(capacity: Int) {
    state.withLock { values in
      values.works -= 1
      values.isFull = values.works == capacity
    }
  }

  func beginResponse(status: Int) { state.withLock { $0.responses[status, default: 0] += 1 } }
}
