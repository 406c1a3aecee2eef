import ZeroMQ

extension Socket {
  /// Listens at the endpoints; answers them with the ports that were found for `*`. A door guards the tcp ones; the
  /// others are guarded by the file system.
  func listen(at endpoints: [String], _ context: Context, door: Door?) throws(ZeroMQError) -> [String] {
    func isTCP(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://") }
    var bound: [String] = []
    for endpoint in endpoints where !isTCP(endpoint) { bound.append(try bind(endpoint)) }
    // Only what is bound after it is guarded.
    if let door { try door.guardEndpoints(of: self, context) }
    for endpoint in endpoints where isTCP(endpoint) {
      // libzmq looks names up to connect, not to listen.
      let isNamed = endpoint.hasPrefix("tcp://localhost:")
      bound.append(try bind(isNamed ? "tcp://127.0.0.1" + endpoint.dropFirst("tcp://localhost".count) : endpoint))
    }
    return bound
  }

  /// Connects to a coordinator. Keys are for tcp endpoints, as only these are guarded by them.
  func connect(_ endpoint: String, _ keys: ClientKeys?) throws(ZeroMQError) {
    if endpoint.hasPrefix("tcp://") {
      if let keys { try useCurve(keys.pair, server: keys.server) }
      try watchHandshakes(to: endpoint, usesKeys: keys != nil)
    }
    try connect(endpoint)
  }
}
