/// Bounds of what connections to a listening socket may hold. They need a program with `CReceptionHook`.
extension Socket {
  /// Limits the memory of messages whose last part was not received and of messages that were not received yet. The call comes
  /// before `bind`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all connections together. At the limit, connections wait until messages are received, or
  ///     until `closeExcessiveConnections` has closed those that never end theirs.
  ///   - parts: The parts of a message. A connection that sends more is closed. The parts of encrypted messages only count
  ///     by their bytes, because nothing outside of libzmq can see which of them is the last.
  public func limitConnections(bytes: Int, parts: Int) throws(ZeroMQError) {
    reception = try Reception(bytes: bytes, parts: parts)
  }

  /// Closes the connections that hold the most when all together stay at the limit. Returns the reasons for which connections were
  /// closed since the last call. The call comes some ten times a second, after `receive` has returned nil where possible.
  public func closeExcessiveConnections() -> [String] {
    guard let reception else { return [] }
    if isDrained { reception.settle() }
    return reception.takeReasons()
  }
}
