import Glibc
import Processes
import ZeroMQ

/// Accepts clients and workers at a coordinator by their keys, and disconnects those whose key is no longer allowed. It
/// runs on the thread of the coordinator's socket, while that waits.
public final class CurveAuthenticator {
  /// The number of keys whose refusal is remembered, so that it is logged once.
  private static let maxLogged = 1000
  /// The number of characters of a key that identify it in a log.
  private static let shownCharacters = 8

  private let keys: KeyDirectory
  let secret: CurveKey
  private let log: Log
  private var allowed: Set<CurveKey>
  private var logged: Set<CurveKey> = []
  /// The user of a connection by its file descriptor, as its last message had it.
  private var connections: [Int32: String] = [:]

  /// - Throws: `KeyError`
  public init(_ keys: KeyDirectory, log: Log) throws(KeyError) {
    self.keys = keys
    self.log = log
    secret = try keys.coordinatorSecret.read()
    allowed = try keys.allowedKeys()
  }

  /// Guards the endpoints of a socket that are bound from now on.
  func guardEndpoints(of socket: Socket, _ context: Context) throws(ZeroMQError) {
    let requests = try Socket(.reply, context)
    try requests.bind(ZAP.endpoint)
    socket.attend(to: requests) { () throws(ZeroMQError) in
      if Reload.take() { self.reload() }
      while let parts = try requests.receive() { _ = try requests.send(self.reply(to: parts)) }
    }
    socket.screen { self.isAllowed($0) }
    try socket.requireCurve(secret: secret, domain: ZAP.domain)
  }

  private func reply(to parts: [MessagePart]) -> [[UInt8]] {
    let request = parts.map { [UInt8]($0.bytes) }
    let verdict = ZAP.verdict(on: request, allowed: allowed)
    if case .refused(let key, let address) = verdict, logged.count < Self.maxLogged, logged.insert(key).inserted {
      log.warning("\(address) was refused: its key \(key.text.prefix(Self.shownCharacters))… is not in \(keys.allowed)")
    }
    return ZAP.reply(to: request, verdict)
  }

  /// Whether the sender of a message is still allowed. Messages by other endpoints have no key, and are accepted.
  private func isAllowed(_ part: MessagePart) -> Bool {
    guard let connection = part.connection else { return true }
    guard let user = part.userID else {
      connections[connection] = nil
      return true
    }
    // A key that is no longer allowed has no connections.
    if connections[connection] == user { return true }
    guard isAllowed(user) else {
      disconnect(connection)
      return false
    }
    connections[connection] = user
    return true
  }

  private func isAllowed(_ user: String) -> Bool { CurveKey(user).map(allowed.contains) ?? false }

  private func reload() {
    do throws(KeyError) {
      allowed = try keys.allowedKeys()
    } catch {
      return log.error("\(error); the keys allowed so far stay so")
    }
    logged = []
    log.info("\(allowed.count) keys are allowed")
    for (connection, user) in connections where !isAllowed(user) { disconnect(connection) }
  }

  /// Ends a connection. Its descriptor stays libzmq's, which closes it. If it belongs to another connection by now, that
  /// one connects again by itself.
  private func disconnect(_ connection: Int32) {
    shutdown(connection, Int32(SHUT_RDWR))
    connections[connection] = nil
  }
}
