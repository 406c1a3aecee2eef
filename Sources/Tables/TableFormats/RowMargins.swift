/// The bounds within which no text of a row has another number of lines, in points: the space of each text can shrink by
/// less than `narrower` and grow by less than `wider`.
public struct RowMargins: BitwiseCopyable, Equatable, Sendable {
  /// The length by less than which the space can shrink; infinite if no length changes the number of lines.
  public let narrower: Float
  /// The length by less than which the space can grow; infinite if no length changes the number of lines.
  public let wider: Float

  /// Creates margins from lengths that are not negative.
  public init(narrower: Float, wider: Float) {
    self.narrower = narrower
    self.wider = wider
  }

  /// Returns whether a change of less than a length can give a text another number of lines.
  public func isUncertain(within length: Float) -> Bool { min(narrower, wider) < length }

  /// Returns whether the space of the texts can change by a length without another number of lines.
  public func hold(for change: Double) -> Bool {
    change == 0 || (change < 0 ? -change < Double(narrower) : change < Double(wider))
  }
}

/// The margins of a row as a job has them, in 64 bits.
package struct PackedMargins: BitwiseCopyable, Equatable, Sendable {
  /// The bits of `narrower` and `wider`, which are NaN for a row without margins. The sign bit of `narrower` is set if the
  /// margins hold for the width of the cell.
  package let bits: UInt64

  private static let signOfNarrower: UInt64 = 1 << 31

  package init(bits: UInt64) { self.bits = bits }

  package init(_ margins: RowMargins?, holdsForWidth: Bool) {
    let (narrower, wider) = (margins?.narrower ?? .nan, margins?.wider ?? .nan)
    bits =
      UInt64(narrower.bitPattern) | UInt64(wider.bitPattern) << 32 | (holdsForWidth ? Self.signOfNarrower : 0)
  }

  /// The value for a row without margins whose height may depend on the width.
  package static let none = PackedMargins(nil, holdsForWidth: false)

  /// Whether the numbers are those of margins, or both NaN.
  package var isValid: Bool { margins != nil || bits & ~Self.signOfNarrower == Self.none.bits }

  /// The margins, or nil for a row without them.
  package var margins: RowMargins? {
    let narrower = Float(bitPattern: UInt32(truncatingIfNeeded: bits & ~Self.signOfNarrower))
    let wider = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
    return narrower >= 0 && wider >= 0 ? RowMargins(narrower: narrower, wider: wider) : nil
  }

  /// Whether the margins are bounds of the width of the cell too: while it changes by less, the height is the same. A row
  /// without margins then has this height at any width.
  package var holdsForWidth: Bool { bits & Self.signOfNarrower != 0 }
}
