import ZeroMQ

extension Socket {
  /// Listens at the endpoints. An authenticator guards those to which keys apply; file permissions guard the others.
  ///
  /// - Returns: The endpoints with the ports that were found for `*`.
  public func listen(
    at endpoints: [String], _ context: Context, authenticator: CurveAuthenticator?
  ) throws(ZeroMQError) -> [String] {
    var bound: [String] = []
    for endpoint in endpoints where !Endpoint.usesKeys(endpoint) { bound.append(try bind(endpoint)) }
    // Only endpoints that are bound after this are guarded.
    if let authenticator { try authenticator.guardEndpoints(of: self, context) }
    for endpoint in endpoints where Endpoint.usesKeys(endpoint) {
      // libzmq looks names up to connect, not to listen.
      let isNamed = endpoint.hasPrefix("tcp://localhost:")
      bound.append(try bind(isNamed ? "tcp://127.0.0.1" + endpoint.dropFirst("tcp://localhost".count) : endpoint))
    }
    return bound
  }

  /// Connects to a coordinator. Keys are used only for endpoints to which they apply.
  ///
  /// - Parameter warn: The function of a side that waits without end for a coordinator; see `watchHandshakes`.
  public func connect(
    _ endpoint: String, _ keys: ClientKeys?, warn: ((String) -> Void)? = nil
  ) throws(ZeroMQError) {
    if Endpoint.usesKeys(endpoint) {
      if let keys { try useCurve(keys.pair, server: keys.server) }
      try watchHandshakes(to: endpoint, usesKeys: keys != nil, warn: warn)
    }
    try connect(endpoint)
  }
}
