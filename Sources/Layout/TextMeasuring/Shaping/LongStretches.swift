/// The bound of the stretches that are shaped as a whole. HarfBuzz can take time in proportion to the square of a stretch
/// without spaces, such as stacked letters of Burmese.
extension PreparedTexts {
  /// The most units without a space that are shaped as a whole.
  private static let maxStretch = 4096

  /// Returns the end of the part of a range of units that is shaped as a whole: the end of the range, or a place at which as
  /// many units follow the last space as are allowed.
  func shapingEnd(_ range: Range<Int>) -> Int {
    guard range.count > Self.maxStretch else { return range.upperBound }
    var space = range.lowerBound
    for index in range {
      if units[index] == 0x20 { space = index }
      if index - space >= Self.maxStretch && units[index] & 0xfc00 != 0xdc00 { return index }
    }
    return range.upperBound
  }
}
