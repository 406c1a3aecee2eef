/// The bounds of a server.
public struct ServerLimits: Sendable {
  /// The number of connections. Further ones wait until one of them ends.
  public var connections = 16_384
  /// The number of bytes in the body of a request, as it is sent.
  public var bodyBytes = 1 << 30
  /// The number of requests that are worked on at the same time.
  public var workers = 32
  /// The number of requests that wait to be worked on.
  public var waiting = 224
  /// The milliseconds in which the head of a request has to come, and a body that is received completely.
  public var headMilliseconds: Int64 = 15_000
  /// The milliseconds that a connection may wait for the next request, or for further bytes of a body.
  public var idleMilliseconds: Int64 = 60_000
  /// The milliseconds in which the client may take no bytes of a response.
  public var writeMilliseconds: Int64 = 60_000
  /// The milliseconds from the head of a request to the end of a response that has begun, which is reset then; nil for any time.
  public var responseMilliseconds: Int64?
  /// The milliseconds for which the rest of a body is dropped; see `droppedBytes`.
  public var droppedMilliseconds: Int64 = 5_000
  /// The milliseconds that requests under way may take when the server stops.
  public var stopMilliseconds: Int64 = 20_000

  /// Bodies up to this number of bytes are received completely before they are worked on, so that a slow client does not
  /// keep a worker.
  static let collectedBytes = 1 << 20
  /// The number of bytes of all bodies together that are received so.
  static let collectedBytesOfAll = 128 << 20
  /// The number of bytes of a response that wait for a slow client.
  static let pendingBytes = 1 << 20
  /// The number of bytes of a response that wait while the body of its request comes. Many clients read only when they have sent all
  /// of it.
  static let pendingBytesDuringBody = 32 << 20
  /// The number of bytes of all responses together from which on a response has less room, and waits for its client at its end.
  static let pendingBytesOfAll = 64 << 20
  /// The number of bytes of all responses together from which on also those have less room whose bodies come.
  static let pendingBytesOfAllDuringBodies = 256 << 20
  /// The bytes for which the rest of a body is read and dropped after a response that does not need it, so that the client
  /// reads the response before the connection ends.
  static let droppedBytes = 64 << 20

  public init() {}
}
