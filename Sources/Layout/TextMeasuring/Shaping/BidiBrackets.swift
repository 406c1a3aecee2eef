import Buffers
import CICU

/// The bound of the brackets that the bidirectional algorithm has to match: it compares each closing bracket with all
/// opening ones before it, so that unmatched brackets take quadratic time.
///
/// The algorithm itself stops at 63 open brackets (UAX #9, BD16), ICU never.
struct BidiBrackets: ~Copyable {
  /// The depth of open brackets from which on all brackets of a paragraph count as other neutral characters.
  private static let maxDepth = 128
  /// A neutral character that is no bracket: a bullet.
  private static let neutral: UInt16 = 0x2022

  private var open = FlatBuffer<UInt32>(capacity: maxDepth)
  private var replaced = FlatBuffer<UInt16>(capacity: 16)

  /// Returns the units of a text, or a copy without the brackets that are too deep. The copy is valid until the next call.
  mutating func bounded(_ units: UnsafePointer<UInt16>, count: Int) -> UnsafePointer<UInt16> {
    open.removeAll()
    replaced.removeAll()
    // The brackets below the bottom may be in another isolate, so that later ones do not match them.
    var bottom = 0
    var isFull = false
    for index in 0..<count {
      let unit = units[index]
      switch unit {
      case 0x0a, 0x2029:
        open.removeAll()
        (bottom, isFull) = (0, false)
      case 0x2066...0x2069: bottom = open.count
      case 0x28, 0x29, 0x5b, 0x5d, 0x7b, 0x7d, 0x0f3a...0x0f3d, 0x169b, 0x169c, 0x2045...0xff63:
        let pair = galley_paired_bracket(UInt32(unit))
        guard pair != 0 else { break }
        if galley_opens_bracket(UInt32(unit)) {
          if open.count < Self.maxDepth { open.append(pair) } else { isFull = true }
        } else if let match = open.values[bottom...].lastIndex(of: UInt32(unit)) {
          open.truncate(to: match)
        }
        if isFull { replace(at: index, units, count) }
      default: break
      }
    }
    return replaced.count > 0 ? UnsafePointer(replaced.base) : units
  }

  private mutating func replace(at index: Int, _ units: UnsafePointer<UInt16>, _ count: Int) {
    if replaced.count == 0 { replaced.append(contentsOf: UnsafeBufferPointer(start: units, count: count)) }
    replaced[index] = Self.neutral
  }
}
