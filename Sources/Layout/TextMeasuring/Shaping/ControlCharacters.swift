/// The way in which the control characters of a stretch of one style, direction and script are shown.
///
/// No listed font has control characters. Chromium then searches the installed fonts for the first control character of a
/// stretch, finds a font only for those from U+007F to U+009F, and shows all others of the stretch with it: without a
/// width (text-rules 18). From right to left it begins with the last one, or the first of the characters next to that.
/// The font has no marks, so that a control character with a mark is shown as .notdef.
struct ControlCharacters {
  /// Whether the control characters have no width; nil before the first.
  private var areHidden: Bool?

  /// The unit that a control character without a width is shaped as: an unassigned character that shapers ignore.
  static let hidden: UInt16 = 0x2065

  /// The number of units in which the last control character is searched for.
  private static let maxStretch = 1024

  /// Returns whether a unit is a control character other than tab and newline.
  static func contains(_ unit: UInt16) -> Bool {
    (unit < 0x20 && unit != 0x09 && unit != 0x0a) || (unit >= 0x7f && unit <= 0x9f)
  }

  /// Replaces the unit at an index if it is shaped as another: a separator as a space, a control character without a
  /// width as `hidden`.
  ///
  /// - Parameters:
  ///   - end: the end of the stretch.
  ///   - levels: the embedding level of each unit of all texts, if anything runs from right to left.
  mutating func substitute(
    at index: Int, to end: Int, levels: UnsafePointer<UInt8>?, _ rules: BrowserRules.Controls, _ store: inout TextStore
  ) {
    guard rules == .likeFirst else {
      if Self.isHidden(store.prepared.units[index], rules) { store.prepared.substitute(Self.hidden, at: index) }
      return
    }
    var first = index
    if areHidden == nil, let levels { first = Self.last(from: index, to: end, levels, store) }
    let unit = store.prepared.units[index]
    switch unit {
    case 0x09, 0x0a: self = ControlCharacters()
    case 0x2028, 0x2029: store.prepared.substitute(0xa0, at: index)
    case 0..<0x20, 0x7f...0x9f:
      let isHidden = areHidden ?? (store.prepared.units[first] >= 0x7f)
      areHidden = isHidden
      if isHidden && !Self.carriesMark(index, &store) { store.prepared.substitute(Self.hidden, at: index) }
    default: break
    }
  }

  /// Returns whether a control character or separator has no width, whatever is around it.
  private static func isHidden(_ unit: UInt16, _ rules: BrowserRules.Controls) -> Bool {
    rules == .hidden ? contains(unit) || unit == 0x2028 || unit == 0x2029 : unit == 0x0d
  }

  /// Returns the index of the first of the last control characters in a row of a stretch of one direction, if that runs
  /// from right to left; otherwise `start`.
  private static func last(
    from start: Int, to end: Int, _ levels: UnsafePointer<UInt8>, _ store: borrowing TextStore
  ) -> Int {
    let units = store.prepared.units.base
    guard levels[start] & 1 != 0, contains(units[start]) else { return start }
    var last = start
    for index in start + 1..<max(start + 1, min(end, start + maxStretch)) {
      let unit = units[index]
      if levels[index] != levels[start] || unit == 0x09 || unit == 0x0a { break }
      if contains(unit) && !contains(units[index - 1]) { last = index }
    }
    return last
  }

  private static func carriesMark(_ index: Int, _ store: inout TextStore) -> Bool {
    guard index + 1 < store.prepared.units.count else { return false }
    let mark = store.prepared.units[index + 1]
    return mark >= 0x300 && store.characters[UInt32(mark)].contains(.extendsCluster)
  }
}
