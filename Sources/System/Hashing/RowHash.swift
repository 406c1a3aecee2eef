import CHashing

/// A hash of a row's bytes, and whether the row has an `id` of its own. It has 127 bits, so that different rows
/// practically never have the same hash.
public struct RowHash: Equatable, BitwiseCopyable, Sendable {
  public let low: UInt64
  /// The upper bits of the hash. The lowest bit is set if the row has an id of its own, and is not the number of the row.
  public let high: UInt64

  private static let ownIDBit: UInt64 = 1

  /// The hash of a row that is not known, which equals no other.
  public static let unknown = RowHash(low: 0, high: 0)

  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// - Parameters:
  ///   - row: The bytes of the row, without the end of its line.
  ///   - hasOwnID: Whether the row has an id of its own.
  public init(_ row: UnsafeBufferPointer<UInt8>, hasOwnID: Bool) {
    let hash = XXH3_128bits(row.baseAddress, row.count)
    low = hash.low64
    high = hash.high64 & ~Self.ownIDBit | (hasOwnID ? Self.ownIDBit : 0)
  }

  /// Whether the row has an id of its own. The id of another row is its number.
  public var hasOwnID: Bool { high & Self.ownIDBit != 0 }

  public var isKnown: Bool { self != Self.unknown }

  /// Returns whether two rows have the same bytes. Whether they have ids of their own follows from that.
  @inline(__always)
  public func hasSameBytes(as other: RowHash) -> Bool { low == other.low && (high ^ other.high) & ~Self.ownIDBit == 0 }
}
