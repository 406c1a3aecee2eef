/// The bytes that connections have sent and that were not delivered as a message. libzmq holds the parts of a message
/// until the last one has come; it limits the size of a part, but neither their number nor their sum.
///
/// The count is approximate: a connection also transports headers and heartbeats, which are never delivered.
struct UndeliveredBytes {
  /// The bytes around a part: its header, and what encryption adds.
  static let partOverhead = 64
  /// The bytes of heartbeats between two updates, at most.
  static let idleOverhead = 64

  private struct Connection {
    /// The inode of the socket, by which another one with the same descriptor is recognized; 0 before the first update.
    var socket: UInt64 = 0
    var received = 0
    /// The bytes that were delivered until the last update, and since then.
    var delivered = 0
    var recent = 0
  }

  private var connections: [Int32: Connection] = [:]

  /// A message was delivered.
  mutating func noteDelivered(_ descriptor: Int32, bytes: Int, parts: Int) {
    connections[descriptor, default: Connection()].recent += bytes + parts * Self.partOverhead
  }

  /// Updates the connections that exist, with the bytes that each has received since it began.
  mutating func update(_ current: [(descriptor: Int32, socket: UInt64, received: Int)]) {
    var updated: [Int32: Connection] = [:]
    updated.reserveCapacity(current.count)
    for (descriptor, socket, received) in current {
      let known = connections[descriptor] ?? Connection()
      let before = known.socket == socket ? known.delivered : 0
      // Allowances that were not used are not saved up.
      let delivered = min(before + known.recent + Self.idleOverhead, received)
      updated[descriptor] = Connection(socket: socket, received: received, delivered: delivered)
    }
    connections = updated
  }

  /// Returns the connections with the most undelivered bytes whose end brings the sum of all below a limit.
  func excess(over limit: Int) -> [(descriptor: Int32, bytes: Int)] {
    let byBytes = connections.map { (descriptor: $0.key, bytes: $0.value.received - $0.value.delivered) }
    var sum = byBytes.reduce(0) { $0 + $1.bytes }
    var excess: [(Int32, Int)] = []
    for connection in byBytes.sorted(by: { $0.bytes > $1.bytes }) where sum > limit {
      sum -= connection.bytes
      excess.append(connection)
    }
    return excess
  }
}
