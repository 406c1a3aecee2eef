/// A generator of pseudorandom numbers that are the same on every machine (SplitMix64).
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator whose numbers depend only on `seed`.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to less than `limit`.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  /// Returns a number from 0 to less than 1.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
