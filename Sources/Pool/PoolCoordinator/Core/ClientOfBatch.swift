import PoolMemory
import PoolProtocol

/// The client of a batch: connected, disconnected, or absent since the start of the coordinator.
struct ClientOfBatch {
  enum Presence {
    case connected(ClientConnection)
    /// `last`: the client that has disconnected; nil after a restart of the coordinator.
    case absent(last: ClientConnection.ID?)
  }

  /// The nanoseconds for which a batch waits for a worker before its client receives a message about it.
  private static let reportedWait: UInt64 = 5_000_000_000
  /// The number of replaced sessions that are remembered.
  private static let maxReplacedSessions = 16

  private var presence = Presence.absent(last: nil)
  /// The random number by which the last client is recognized on another connection (zero for none), and the number of
  /// its last request for the batch.
  private(set) var lastAttempt: (session: UInt64, number: UInt32) = (0, 0)
  /// The sessions of the last clients whose batch another client took over.
  private(set) var replacedSessions: [UInt64] = []
  /// The time in nanoseconds at which the batch was accepted. Nil after its end was sent, and if its client does not wait for
  /// results.
  private var acceptedAt: UInt64?
  /// The time in nanoseconds until which the rest of the rows is expected, if no client is connected that sends it.
  private(set) var givenUpAt: UInt64?
  /// The time in nanoseconds after which the batch is removed, if it is done and there is no client.
  private(set) var expiresAt: UInt64?

  /// - Parameter session: The number by which the client of the batch is recognized on another connection.
  init(session: UInt64) { lastAttempt = (session, 0) }

  var connection: ClientConnection? { if case .connected(let connection) = presence { connection } else { nil } }

  /// Whether this client was the last one and has disconnected.
  func isLast(_ client: ClientConnection.ID) -> Bool {
    if case .absent(let last) = presence { last == client } else { false }
  }

  mutating func submit(_ connection: ClientConnection, at now: UInt64) {
    presence = .connected(connection)
    if connection.wantsResults { acceptedAt = now }
  }

  /// Connects a client again, or another client.
  ///
  /// - Parameters:
  ///   - endsLast: Whether later requests of the last client are refused if this is another one.
  ///   - sendsRows: Whether the client sends the rest of the rows.
  mutating func resume(
    _ connection: ClientConnection, session: UInt64, attempt: UInt32, endsLast: Bool, sendsRows: Bool
  ) {
    if endsLast, !isKnown(session), lastAttempt.session != 0 {
      replacedSessions.append(lastAttempt.session)
      if replacedSessions.count > Self.maxReplacedSessions { replacedSessions.removeFirst() }
    }
    lastAttempt = (session, attempt)
    presence = .connected(connection)
    if sendsRows { givenUpAt = nil }
    expiresAt = nil
  }

  mutating func disconnect() { presence = .absent(last: connection?.id) }

  /// Whether a session is that of the last client.
  func isKnown(_ session: UInt64) -> Bool { session == lastAttempt.session && session != 0 }

  /// Uses the socket instead of shared memory from now on.
  mutating func endSharingMemory() { change { $0.channel = nil } }

  /// Records that the end of the batch was sent. The first call returns the nanoseconds since the batch was accepted.
  mutating func noteEndSent(at now: UInt64) -> UInt64? {
    change { $0.isEndSent = true }
    defer { acceptedAt = nil }
    return acceptedAt.map { now - min($0, now) }
  }

  /// Records whether the batch waits for a worker. Returns true if the client needs a message that the batch waits, false if it needs
  /// one that the wait is over, and nil if it needs none.
  mutating func noteWaitForWorkers(_ waits: Bool, at now: UInt64) -> Bool? {
    switch (connection?.waitForWorkers, waits) {
    case (.over?, true): change { $0.waitForWorkers = .since(now) }
    case (.since(let time)?, true) where now >= time + Self.reportedWait:
      change { $0.waitForWorkers = .reported }
      return true
    case (.since?, false): change { $0.waitForWorkers = .over }
    case (.reported?, false):
      change { $0.waitForWorkers = .over }
      return false
    case (nil, _), (.over?, false), (.since?, true), (.reported?, true): break
    }
    return nil
  }

  /// Expects the rest of the rows until a time.
  mutating func expectRows(until time: UInt64) { givenUpAt = givenUpAt ?? time }

  mutating func endExpectingRows() { givenUpAt = nil }

  mutating func expire(at time: UInt64) { expiresAt = time }

  private mutating func change(_ body: (inout ClientConnection) -> Void) {
    guard case .connected(var connection) = presence else { return }
    body(&connection)
    presence = .connected(connection)
  }
}

/// A connection of a client for one batch.
struct ClientConnection {
  /// The connection, the holder of its key, and the client's own number for the batch.
  struct ID: Hashable {
    let identity: PeerIdentity
    let holder: KeyHolder
    let number: UInt64
  }

  enum WorkerWait {
    case over
    /// The batch has waited since this time in nanoseconds.
    case since(UInt64)
    /// The client has received the message that the batch waits.
    case reported
  }

  let id: ID
  let origin: PeerOrigin
  /// Nil where the client does not share memory.
  var channel: CoordinatorMemoryChannel?
  /// Whether the client receives the results. A client that detaches receives none.
  let wantsResults: Bool
  /// Whether the end of the batch was sent to the client.
  var isEndSent = false
  /// Whether the batch waits because no worker is registered.
  var waitForWorkers = WorkerWait.over
  /// The number of this connection among all connections of the batch. Reads for an earlier connection have another number.
  let fetch: UInt64
}
