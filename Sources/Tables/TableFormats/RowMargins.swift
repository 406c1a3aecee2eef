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
  /// The numbers of `narrower` and `wider`, of which both are NaN for a row without margins.
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  package init(_ margins: RowMargins?) {
    let (narrower, wider) = (margins?.narrower ?? .nan, margins?.wider ?? .nan)
    bits = UInt64(narrower.bitPattern) | UInt64(wider.bitPattern) << 32
  }

  /// Whether the numbers are those of margins, or both NaN.
  package var isValid: Bool { margins != nil || self == PackedMargins(nil) }

  /// The margins, or nil for a row without them.
  package var margins: RowMargins? {
    let narrower = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    let wider = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
    return narrower >= 0 && wider >= 0 ? RowMargins(narrower: narrower, wider: wider) : nil
  }
}
