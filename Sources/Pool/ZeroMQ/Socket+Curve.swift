import CZeroMQ

/// Encrypted connections. As all options, these hold for endpoints bound or connected from then on.
extension Socket {
  /// Only peers get in that know the public key of this secret one and that the context's ZAP handler lets in,
  /// which must be there by now: without one libzmq lets everybody in.
  ///
  /// - Parameter domain: what the handler is told to be asked for.
  public func requireCurve(secret: CurveKey, domain: String) throws(ZeroMQError) {
    try set(ZMQ_CURVE_SERVER, 1)
    try set(ZMQ_CURVE_SECRETKEY, secret.text)
    try set(ZMQ_ZAP_DOMAIN, domain)
  }

  /// Connects as the holder of `keys` to nobody but the holder of the secret of `server`.
  public func useCurve(_ keys: CurveKeyPair, server: CurveKey) throws(ZeroMQError) {
    try set(ZMQ_CURVE_SERVERKEY, server.text)
    try set(ZMQ_CURVE_PUBLICKEY, keys.publicKey.text)
    try set(ZMQ_CURVE_SECRETKEY, keys.secret.text)
  }
}
