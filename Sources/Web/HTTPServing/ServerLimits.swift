/// The bounds of a server.
public struct ServerLimits: Sendable {
  /// The number of connections. Further ones wait until one of them ends.
  public var connections = 16_384
  /// The number of bytes in the body of a request, as it is sent.
  public var bodyBytes = 1 << 30
  /// The number of requests that are worked on at the same time.
  public var workers = 16
  /// The number of requests that wait to be worked on.
  public var waiting = 240

  /// Bodies up to this number of bytes are received completely before they are worked on, so that a slow client does not
  /// keep a worker.
  static let collectedBytes = 1 << 20
  /// The number of bytes of all bodies together that are received so.
  static let collectedBytesOfAll = 128 << 20
  /// The number of bytes of a response that wait for a slow client.
  static let pendingBytes = 1 << 20
  /// The seconds in which the head of a request has to come, and a body that is received completely.
  static let headSeconds: Int64 = 15
  /// The seconds that a connection may wait for the next request, or for further bytes of a body.
  static let idleSeconds: Int64 = 60
  /// The seconds that the client may take no bytes of a response.
  static let writeSeconds: Int64 = 60
  /// The bytes and seconds for which the rest of a body is read and dropped after a response that does not need it, so that
  /// the client reads the response before the connection ends.
  static let droppedBytes = 64 << 20
  static let droppedSeconds: Int64 = 5

  public init() {}
}
