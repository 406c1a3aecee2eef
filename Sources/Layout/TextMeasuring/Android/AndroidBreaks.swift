import Buffers
import CICU

/// What is known of the place before a unit of a paragraph.
struct AndroidOpportunity: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// ICU breaks lines here.
  static let boundary = AndroidOpportunity(rawValue: 1)
  /// Lines of Android can break here.
  static let word = AndroidOpportunity(rawValue: 2)
  /// It is inside of an address of e-mail or the web.
  static let address = AndroidOpportunity(rawValue: 4)
  /// A paragraph starts here that runs from right to left.
  static let rightToLeft = AndroidOpportunity(rawValue: 8)
  /// The printable ASCII characters from here on contain `@` or `://`.
  static let startsAddress = AndroidOpportunity(rawValue: 16)
  /// A piece that is shaped by itself starts here.
  static let startsPiece = AndroidOpportunity(rawValue: 32)
  /// The face of the unit does not count for the height of its line.
  static let hidesFace = AndroidOpportunity(rawValue: 64)
}

extension PreparedTexts {
  /// Adds an opportunity before each unit of a text and one at its end. All are empty.
  mutating func addOpportunities(of text: inout PreparedText) -> UnsafeMutablePointer<AndroidOpportunity> {
    text.opportunities = .init(first: opportunities.count, count: text.unitCount + 1)
    let places = opportunities.extend(by: text.unitCount + 1)
    places.initialize(repeating: [], count: text.unitCount + 1)
    return places
  }
}

/// The opportunities to break lines between the words of a paragraph, as Android finds them. Source: minikin's
/// `WordBreaker`.
struct AndroidBreaks: ~Copyable {
  private var iterators = BreakIterators()

  /// Finds the opportunities in a paragraph.
  ///
  /// - Parameters:
  ///   - isNormal: whether the line break style is `normal`, and not the default of the root locale.
  ///   - opportunities: those before the units and at their end, to which those that are found are added. The first one is also the end
  ///     of the paragraph before; the others are empty.
  mutating func find(
    _ units: UnsafePointer<UInt16>, count: Int, isNormal: Bool,
    _ opportunities: UnsafeMutablePointer<AndroidOpportunity>
  ) {
    opportunities[count] = .boundary
    iterators.forEachBoundary(isNormal ? galley_breaks_lines : galley_breaks_root_lines, units, count) {
      opportunities[$0] = .boundary
    }
    Self.markAddresses(units, count, opportunities)
    var words = AndroidWords(units: units, opportunities: opportunities, count: count, in: 0..<count)
    while words.current < count {
      let isInAddress = words.next()
      opportunities[words.current].insert(isInAddress ? [.word, .address] : .word)
    }
  }

  /// Marks the printable ASCII characters from which on an address is found, with the states of minikin's search: what it
  /// has read of `://`.
  private static func markAddresses(
    _ units: UnsafePointer<UInt16>, _ count: Int, _ opportunities: UnsafeMutablePointer<AndroidOpportunity>
  ) {
    // Whether the characters from the next one on are an address, in each of the states.
    var (none, colon, slash) = (false, false, false)
    for index in (0..<count).reversed() {
      let unit = units[index]
      guard unit > 0x20 && unit <= 0x7e else {
        (none, colon, slash) = (false, false, false)
        continue
      }
      let isAddress = unit == 0x40 || (unit == 0x3a ? colon : none)
      (colon, slash) = unit == 0x2f ? (slash, true) : (none, none)
      none = isAddress
      if isAddress { opportunities[index].insert(.startsAddress) }
    }
  }
}

/// The words of a paragraph between which lines can break, from a place on.
struct AndroidWords {
  let units: UnsafePointer<UInt16>
  /// The number of units that are read.
  private let count: Int
  /// The opportunities before the units, of which `boundary` and `startsAddress` are read.
  let opportunities: UnsafePointer<AndroidOpportunity>
  /// The end of the last word.
  private(set) var current = 0
  /// The end of the characters that were searched for an address.
  private var scanned = 0
  private var isAddress = false

  /// The words in a range of the units of a paragraph. The last one can end before the word of the paragraph does.
  init(
    units: UnsafePointer<UInt16>, opportunities: UnsafePointer<AndroidOpportunity>, count: Int, in range: Range<Int>
  ) {
    self.units = units
    self.opportunities = opportunities
    self.count = min(count, range.upperBound + Self.lookahead)
    (current, scanned) = (range.lowerBound, range.lowerBound)
  }

  /// The number of units after a place on which it depends whether a line can break there.
  private static let lookahead = 2

  /// Moves `current` to the end of the next word. Returns whether that is inside of an address.
  mutating func next() -> Bool {
    let last = current
    if last >= scanned { (scanned, isAddress) = addressEnd(from: last) }
    current = isAddress ? nextInAddress(after: last) : nextBoundary(after: last)
    return isAddress && current < scanned
  }

  private func nextBoundary(after start: Int) -> Int {
    var index = start + 1
    while index < count && !(opportunities[index].contains(.boundary) && isValid(index)) { index += 1 }
    return index
  }

  /// Returns whether a line can break at a boundary of ICU.
  private func isValid(_ index: Int) -> Bool {
    switch units[index - 1] {
    // Hyphens, at which only hyphenation breaks, and a sign that stacks Burmese letters.
    case 0x2d, 0xad, 0x058a, 0x05be, 0x1039, 0x1400, 0x2010, 0x2013, 0x2027, 0x2e17, 0x2e40: return false
    default: break
    }
    guard units[index] >= 0x2190 else { return true }
    let next = units.scalar(at: index, of: count)
    if units[index - 1] == 0x200d { return Unicode.Scalar(next)?.properties.isEmoji != true }
    guard (0x1f3fb...0x1f3ff).contains(next) else { return true }
    let base = units[index - 1] == 0xfe0f && index > 1 ? index - 1 : index
    return Unicode.Scalar(units.scalar(before: base))?.properties.isEmojiModifierBase != true
  }

  // MARK: Addresses

  /// Returns the end of the printable ASCII characters from `start`, and whether they are an address.
  private func addressEnd(from start: Int) -> (end: Int, isAddress: Bool) {
    var index = start
    while index < count, units[index] > 0x20, units[index] <= 0x7e { index += 1 }
    guard opportunities[start].contains(.startsAddress) else { return (index, false) }
    // Marks at the end belong to the address.
    while index < count && !opportunities[index].contains(.boundary) { index += 1 }
    return (index, true)
  }

  private func nextInAddress(after start: Int) -> Int {
    var last = units[start]
    var index = start + 1
    while index < scanned {
      if Self.breaksAfter(last) || (last == 0x2f && index >= start + 2 && units[index - 2] == 0x2f) { break }
      let unit = units[index]
      if last != 0x2d {
        if Self.breaksBefore(unit) { break }
        if unit == 0x2f && last != 0x2f && !(index + 1 < scanned && units[index + 1] == 0x2f) { break }
      }
      last = unit
      index += 1
    }
    return index
  }

  /// Returns whether an address is broken after a unit: `:`, `=` and `&`.
  private static func breaksAfter(_ unit: UInt16) -> Bool { unit == 0x3a || unit == 0x3d || unit == 0x26 }

  /// Returns whether an address is broken before a unit: `~ . , - _ ? # % = &`.
  private static func breaksBefore(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x7e, 0x2e, 0x2c, 0x2d, 0x5f, 0x3f, 0x23, 0x25, 0x3d, 0x26: true
    default: false
    }
  }
}
