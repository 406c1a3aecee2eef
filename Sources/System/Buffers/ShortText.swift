/// Returns the shortest decimal number that is read back as this one, without a fraction if it is whole.
package func shortText(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

package func shortText(_ number: Float) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

extension FlatBuffer where Element == UInt8 {
  /// Appends the short text of a number.
  package mutating func append(number: Double) {
    if number.magnitude < 1e12, let eighths = Int(exactly: number * 8) { return append(eighths: eighths) }
    append(shortText(number))
  }

  package mutating func append(number: Float) {
    if number.magnitude < 4096, let eighths = Int(exactly: number * 8) { return append(eighths: eighths) }
    append(shortText(number))
  }

  /// Appends a multiple of 1/8, as most lengths are. Its exact decimal is also the shortest, as long as the number has
  /// bits for 1/1000.
  private mutating func append(eighths: Int) {
    if eighths < 0 { append(UInt8(ascii: "-")) }
    let magnitude = Int(eighths.magnitude)
    append(decimal: magnitude >> 3)
    switch magnitude & 7 {
    case 1: append(".125")
    case 2: append(".25")
    case 3: append(".375")
    case 4: append(".5")
    case 5: append(".625")
    case 6: append(".75")
    case 7: append(".875")
    default: break
    }
  }
}
