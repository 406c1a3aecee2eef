/// The scalar values of a text in UTF-16 without lone surrogates.
extension UnsafePointer<UInt16> {
  /// Returns the scalar value that begins at a unit of a text with a number of units.
  func scalar(at index: Int, of count: Int) -> UInt32 {
    let unit = UInt32(self[index])
    guard unit & 0xfc00 == 0xd800, index + 1 < count else { return unit }
    return (unit - 0xd7c0) << 10 + UInt32(self[index + 1]) & 0x3ff
  }

  /// Returns the scalar value that ends before a unit.
  func scalar(before index: Int) -> UInt32 {
    let unit = UInt32(self[index - 1])
    guard unit & 0xfc00 == 0xdc00, index > 1, self[index - 2] & 0xfc00 == 0xd800 else { return unit }
    return (UInt32(self[index - 2]) - 0xd7c0) << 10 + unit & 0x3ff
  }
}
