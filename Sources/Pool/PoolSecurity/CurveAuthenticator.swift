import Glibc
import PoolProtocol
import Processes
import ZeroMQ

/// Accepts clients and workers at a coordinator by their keys, and disconnects those whose key is no longer allowed. It
/// runs on the thread of the coordinator's socket, while that waits.
public final class CurveAuthenticator {
  /// The number of keys whose refusal is remembered, so that it is logged once.
  private static let maxLogged = 1000
  /// The number of files in the directory of allowed keys that are logged because they cannot be used.
  private static let maxLoggedFiles = 100
  /// The number of keys that a log line names.
  private static let maxNamedKeys = 100

  private let keys: KeyDirectory
  let secret: CurveKey
  private let log: Log
  private var allowed: [CurveKey: KeyHolder] = [:]
  private var logged: Set<CurveKey> = []
  private var hasLoggedRoutingID = false
  /// The number of connections that were refused because of their keys.
  public private(set) var refusals: UInt64 = 0
  /// The user of a connection by its file descriptor, as its last message had it, and the holder of that user's key.
  private var connections: [Int32: (user: String, holder: KeyHolder)] = [:]

  /// - Throws: `KeyError`
  public init(_ keys: KeyDirectory, log: Log) throws(KeyError) {
    self.keys = keys
    self.log = log
    secret = try keys.coordinatorSecret.read()
    use(try AllowedKeys(in: keys.allowed))
  }

  /// Guards the endpoints of a socket that are bound from now on.
  func guardEndpoints(of socket: Socket, _ context: Context) throws(ZeroMQError) {
    let requests = try Socket(.reply, context)
    try requests.bind(ZAP.endpoint)
    socket.attend(to: requests) { () throws(ZeroMQError) in
      if Reload.take() { self.reload() }
      while let parts = try requests.receive() { _ = try requests.send(self.reply(to: parts)) }
    }
    try socket.requireCurve(secret: secret, domain: ZAP.domain)
  }

  private func reply(to parts: [MessagePart]) -> [[UInt8]] {
    let request = parts.map { [UInt8]($0.bytes) }
    let verdict = ZAP.verdict(on: request) { allowed[$0] != nil }
    if case .refused = verdict { refusals += 1 }
    if case .refused(let key, let address) = verdict, logged.count < Self.maxLogged, logged.insert(key).inserted {
      log.warning("\(address) was refused: its key \(key.text) is not in \(keys.allowed)")
    }
    return ZAP.reply(to: request, verdict)
  }

  /// Returns the holder of the key with which a message was sent; nil if the key is no longer allowed. Messages by other
  /// endpoints have no key, and are accepted.
  public func holder(of part: MessagePart) -> KeyHolder? {
    guard let connection = part.connection else { return .withoutKey }
    guard let user = part.userID else {
      connections[connection] = nil
      return .withoutKey
    }
    // A key that is no longer allowed, or has another role, has no connections. The descriptor may be that of an earlier
    // connection with the same key.
    let known = connections[connection].flatMap { $0.user == user ? $0.holder : nil }
    guard let holder = known ?? holder(of: user), !hasRoutingIDOfItsOwn(part, holder) else {
      disconnect(connection)
      return nil
    }
    if known == nil { connections[connection] = (user, holder) }
    return holder
  }

  private func holder(of user: String) -> KeyHolder? { CurveKey(user).flatMap { allowed[$0] } }

  /// Returns whether the peer has chosen the routing ID by which the socket addresses it. What is sent to a peer that has
  /// just disconnected would reach another one that chose the same.
  private func hasRoutingIDOfItsOwn(_ part: MessagePart, _ holder: KeyHolder) -> Bool {
    guard part.hasRoutingIDOfItsSender else { return false }
    if !hasLoggedRoutingID {
      hasLoggedRoutingID = true
      log.warning("\(holder.name) is disconnected: with keys, a peer may not choose its routing ID")
    }
    return true
  }

  private func reload() {
    let before = allowed
    do throws(KeyError) {
      use(try AllowedKeys(in: keys.allowed))
    } catch {
      log.error("\(error); no key is allowed until it can be read and SIGHUP is sent again")
      allowed = [:]
    }
    logged = []
    let added = allowed.filter { before[$0.key] != $0.value }
    let removed = before.filter { allowed[$0.key] != $0.value }
    log.info(
      "\(allowed.count) keys are allowed\(Self.names("added", added))\(Self.names("removed", removed))")
    for (connection, (user, holder)) in connections where self.holder(of: user) != holder { disconnect(connection) }
  }

  /// Returns a part of a log line that names keys with their roles, such as `; removed: laptop (client)`.
  private static func names(_ what: String, _ keys: [CurveKey: KeyHolder]) -> String {
    guard !keys.isEmpty else { return "" }
    return "; \(what): \(list(keys.values.map { "\($0.name) (\($0.role.rawValue))" }.sorted()))"
  }

  private static func list(_ names: [String]) -> String {
    let more = names.count > maxNamedKeys ? " and \(names.count - maxNamedKeys) more" : ""
    return names.prefix(maxNamedKeys).joined(separator: ", ") + more
  }

  private func use(_ keys: AllowedKeys) {
    allowed = keys.holders
    for problem in keys.problems.prefix(Self.maxLoggedFiles) { log.error("\(problem); it allows nobody") }
    if keys.problems.count > Self.maxLoggedFiles {
      log.error("\(keys.problems.count - Self.maxLoggedFiles) more files allow nobody")
    }
    if !keys.filesWithoutRole.isEmpty {
      log.warning(
        "keys without a role may do everything: \(Self.list(keys.filesWithoutRole)) in \(self.keys.allowed); "
          + "rename each file to \(AllowedKeyName.forms)")
    }
  }

  /// Ends a connection. Its descriptor stays libzmq's, which closes it. If it belongs to another connection by now, that
  /// one connects again by itself.
  private func disconnect(_ connection: Int32) {
    shutdown(connection, Int32(SHUT_RDWR))
    connections[connection] = nil
  }
}
