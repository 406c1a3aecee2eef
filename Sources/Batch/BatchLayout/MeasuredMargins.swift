import Buffers
import LayoutEngine
import TableFormats
import TextMeasuring

/// The margins of the texts of a bound row as they were measured. A frame of a text refers to those of its last
/// measurement by bits of `Frame.detail`:
///
///     bits 0 to 15    the number of lines
///     bit 16          whether the text is truncated (`JobLayout.truncatedBit`)
///     bits 17 to 31   0 for a node that is not a text; 1 to 32,765 for the margins with this number;
///                     32,766 for `unlimited`; 32,767 for `unknown`
struct MeasuredMargins: ~Copyable {
  /// The first bit of the number.
  private static let firstBit: UInt32 = 17
  /// The number of a text without margins.
  private static let unknown = UInt32.max >> firstBit
  /// The number of a text whose lines do not depend on its space, as those of many texts.
  private static let unlimited = unknown - 1

  /// The number of a text is that of its margins, from 1.
  private var values = FlatBuffer<TextMargins>(capacity: 32)

  /// Whether margins were left out because all numbers were taken.
  private(set) var isExhausted = false

  var isEmpty: Bool { values.count == 0 }

  mutating func removeAll() {
    values.removeAll()
    isExhausted = false
  }

  /// Adds the margins of a measurement, and returns their bits of `Frame.detail`.
  mutating func add(_ margins: TextMargins?) -> UInt32 {
    guard let margins else { return Self.unknown << Self.firstBit }
    if margins == .unlimited { return Self.unlimited << Self.firstBit }
    if values.count + 1 == Int(Self.unlimited) {
      isExhausted = true
      return Self.unknown << Self.firstBit
    }
    values.append(margins)
    return UInt32(truncatingIfNeeded: values.count) << Self.firstBit
  }

  /// Returns the margins of a row from the frames of its texts.
  ///
  /// - Parameters:
  ///   - bounds: how far the width of the cell can change with them, or nil if they do not hold for the width.
  ///   - variant: that of the row, which can cut the width of the list.
  func margins(of frames: borrowing FlatBuffer<Frame>, _ bounds: WidthBounds?, _ variant: Variant) -> PackedMargins {
    var hasTexts = false
    var least = TextMargins.unlimited
    for index in 0..<frames.count {
      let number = frames[index].detail >> Self.firstBit
      if number == 0 { continue }
      if number == Self.unknown { return .none }
      hasTexts = true
      if number != Self.unlimited { least = least.intersection(values[Int(number) - 1]) }
    }
    guard hasTexts else { return PackedMargins(nil, holdsForWidth: bounds.map { $0.narrower == .infinity } ?? false) }
    if let bounds {
      if bounds.rounded > least.narrower || bounds.unused > least.wider {
        // The lines of the frame's width may be others than those that the height is of.
        least = TextMargins(narrower: 0, wider: 0)
      } else {
        least.narrower = min(least.narrower - bounds.rounded, bounds.narrower)
        least.wider -= bounds.unused
      }
      if let cut = variant.cutOfWidth {
        // A narrower list is cut as well, to a width that must be within the margin of this one.
        least.narrower = (least.narrower * 64).rounded(.down) / 64 + cut
        least.wider = max(least.wider - cut, 0)
      }
    }
    return PackedMargins(
      RowMargins(narrower: Self.rounded(least.narrower), wider: Self.rounded(least.wider)), holdsForWidth: bounds != nil
    )
  }

  /// Returns the largest number of 32 bits that is at most a length.
  private static func rounded(_ length: Double) -> Float {
    let nearest = Float(length)
    return Double(nearest) > length ? nearest.nextDown : nearest
  }
}
