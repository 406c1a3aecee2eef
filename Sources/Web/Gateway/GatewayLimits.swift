/// The bounds of what one request can have a gateway do.
public struct GatewayLimits: Sendable {
  /// The number of rows.
  public var rows: UInt64 = 20_000_000
  /// The number of bytes of rows after they are decompressed.
  public var contentBytes = 16 << 30
  /// The seconds from the head of the request to the end of the response.
  public var seconds: UInt64 = 3600

  public init() {}
}
