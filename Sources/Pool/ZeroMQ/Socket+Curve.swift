import CZeroMQ

/// Options for encrypted connections. Like all options, they apply to endpoints that are bound or connected afterwards.
extension Socket {
  /// Accepts only peers that have the public key of this secret key and that the context's ZAP handler accepts. The
  /// handler must be bound before the call, because libzmq accepts every peer without one.
  ///
  /// - Parameter domain: The ZAP domain, which libzmq sends to the handler with each request.
  public func requireCurve(secret: CurveKey, domain: String) throws(ZeroMQError) {
    try set(ZMQ_CURVE_SERVER, 1)
    try set(ZMQ_CURVE_SECRETKEY, secret.text)
    try set(ZMQ_ZAP_DOMAIN, domain)
  }

  /// Identifies this side by `keys`, and connects only to the holder of the secret key that belongs to `server`.
  public func useCurve(_ keys: CurveKeyPair, server: CurveKey) throws(ZeroMQError) {
    try set(ZMQ_CURVE_SERVERKEY, server.text)
    try set(ZMQ_CURVE_PUBLICKEY, keys.publicKey.text)
    try set(ZMQ_CURVE_SECRETKEY, keys.secret.text)
  }
}
