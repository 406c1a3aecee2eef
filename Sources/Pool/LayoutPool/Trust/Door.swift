import Glibc
import ZeroMQ

/// Lets clients and workers in to a coordinator by their keys, and puts those out whose key is no longer allowed. It
/// is looked after by the thread of the coordinator's socket, while that is waited for.
public final class Door {
  /// Keys of which a refusal is remembered, so as to be told once.
  private static let maxTold = 1000
  /// Characters of a key that tell it from others in a log.
  private static let shown = 8

  private let keys: KeyDirectory
  let secret: CurveKey
  private let log: Log
  private var allowed: Set<CurveKey>
  private var told: Set<CurveKey> = []
  /// Who is on the other end of a connection, by its descriptor, as its last message said.
  private var guests: [Int32: String] = [:]

  /// - Throws: `KeyError`
  public init(_ keys: KeyDirectory, log: Log) throws(KeyError) {
    self.keys = keys
    self.log = log
    secret = try keys.coordinatorSecret.read()
    allowed = try keys.allowedKeys()
  }

  /// Has the socket's endpoints guarded that are bound from now on.
  func guardEndpoints(of socket: Socket, _ context: Context) throws(ZeroMQError) {
    let questions = try Socket(.reply, context)
    try questions.bind(ZAP.endpoint)
    socket.attend(to: questions) { () throws(ZeroMQError) in
      if Reload.take() { self.reload() }
      while let parts = try questions.receive() { _ = try questions.send(self.answer(parts)) }
    }
    socket.screen { self.admits($0) }
    try socket.requireCurve(secret: secret, domain: ZAP.domain)
  }

  private func answer(_ parts: [Frame]) -> [[UInt8]] {
    let request = parts.map { [UInt8]($0.bytes) }
    let verdict = ZAP.verdict(on: request, allowed: allowed)
    if case .refused(let key, let address) = verdict, told.count < Self.maxTold, told.insert(key).inserted {
      log.warning("\(address) was refused: its key \(key.text.prefix(Self.shown))… is not in \(keys.allowed)")
    }
    return ZAP.reply(to: request, verdict)
  }

  /// Whether a message's sender is allowed still. What comes by other endpoints has no key, and comes in.
  private func admits(_ frame: Frame) -> Bool {
    guard let connection = frame.connection else { return true }
    guard let user = frame.userID else {
      guests[connection] = nil
      return true
    }
    // A key that is no longer allowed has no guests.
    if guests[connection] == user { return true }
    guard isAllowed(user) else {
      putOut(connection)
      return false
    }
    guests[connection] = user
    return true
  }

  private func isAllowed(_ user: String) -> Bool { CurveKey(user).map(allowed.contains) ?? false }

  private func reload() {
    do throws(KeyError) {
      allowed = try keys.allowedKeys()
    } catch {
      return log.error("\(error); the keys allowed so far stay so")
    }
    told = []
    log.info("\(allowed.count) keys are allowed")
    for (connection, user) in guests where !isAllowed(user) { putOut(connection) }
  }

  /// Ends a connection. Its descriptor stays libzmq's, which closes it; should it be another's by now, that one
  /// connects again by itself.
  private func putOut(_ connection: Int32) {
    shutdown(connection, Int32(SHUT_RDWR))
    guests[connection] = nil
  }
}
