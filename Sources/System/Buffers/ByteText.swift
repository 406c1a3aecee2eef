/// Texts in bytes.
extension FlatBuffer where Element == UInt8 {
  package mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends the decimal digits of a number. The label keeps a literal from being taken for a number instead of a byte.
  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    // The digits are written from the last to the first.
    var (count, bound) = (1, UInt(10))
    while rest >= bound, count < 19 { (count, bound) = (count + 1, bound * 10) }
    let start = extend(by: count)
    for index in stride(from: count - 1, through: 0, by: -1) {
      start[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }
}
