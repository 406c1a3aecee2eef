import Buffers
import CICU

/// The places at which a word of a text can be hyphenated with a dictionary, by the rules of Chromium (text-rules 58).
struct WordHyphenation: ~Copyable {
  /// The offsets before which a hyphen can be, in ascending order.
  private(set) var places = FlatBuffer<Int32>(capacity: 16)
  /// The letters of the word in lower case, and the numbers of letters before its hyphens.
  private var letters = FlatBuffer<UInt16>(capacity: 64)
  private var points = FlatBuffer<Int32>(capacity: 16)

  /// Returns whether a hyphen can be before a unit.
  func isPlace(_ unit: Int32) -> Bool { places.values.contains(unit) }

  /// Finds the places in a word.
  ///
  /// - Parameters:
  ///   - range: the units from the start of the word, or of what is left of it on this line, to the spaces after it. Soft hyphens
  ///     can divide it.
  ///   - startsLine: whether it is at the start of its line.
  mutating func findPlaces(
    _ range: Range<Int32>, startsLine: Bool, _ text: PreparedText, _ store: borrowing TextStore
  ) {
    places.removeAll()
    let units = UnsafeBufferPointer(start: store.prepared.units.base + text.unitStart, count: text.unitCount)
    let word = Self.part(Int(range.lowerBound)..<Int(range.upperBound), units)
    // The last word of a text stays whole unless it is all that the line holds.
    let isFirst = startsLine && word.lowerBound == Int(range.lowerBound)
    guard !word.isEmpty, isFirst || !units[word.upperBound...].allSatisfy({ HangingSpaces.isBlank($0) }) else { return }
    // What another style follows ends there, and begins as a word of its own after it.
    var start = word.lowerBound
    for index in store.itemIndex(at: Int32(start), text)..<text.items.first + text.items.count {
      let item = store.prepared.items[index]
      guard item.start < word.upperBound else { break }
      if item.startsInline { start = max(start, Int(item.start)) }
      findPlaces(start..<word.upperBound, before: Int(item.end), from: max(start, Int(item.start)), units, text, store)
    }
  }

  /// The most units in which a word is looked for, so that the time that a long text without spaces takes is proportional to its
  /// length.
  private static let maxUnits = 256

  /// Returns what follows the last soft hyphen of a word: to a dictionary, this is a word of its own. It is empty if it is too long.
  private static func part(_ word: Range<Int>, _ units: UnsafeBufferPointer<UInt16>) -> Range<Int> {
    var start = word.upperBound
    while start > word.lowerBound && units[start - 1] != 0xad && word.upperBound - start <= maxUnits { start -= 1 }
    return word.upperBound - start > maxUnits ? word.upperBound..<word.upperBound : start..<word.upperBound
  }

  /// Finds the places of a word that are in an item.
  ///
  /// - Parameters:
  ///   - end: the end of the item, where no hyphen can be.
  ///   - first: the first unit of the word in the item.
  private mutating func findPlaces(
    _ word: Range<Int>, before end: Int, from first: Int, _ units: UnsafeBufferPointer<UInt16>, _ text: PreparedText,
    _ store: borrowing TextStore
  ) {
    var (start, last) = (word.lowerBound, word.upperBound)
    while start < last && Self.precedesWords(units[start]) { start += 1 }
    while last > start && galley_follows_words(UInt32(units[last - 1])) { last -= 1 }
    guard HyphenationDictionary.wordLengths.contains(last - start) else { return }
    letters.removeAll()
    for unit in units[start..<last] { letters.append(UInt16(truncatingIfNeeded: galley_lower_case(UInt32(unit)))) }
    // Names are not hyphenated in English.
    if text.options.css.language.isOf(.english) && letters[0] != units[start] { return }
    store.dictionaries[text.dictionary].findPoints(in: letters.values, &points)
    for index in 0..<points.count {
      let place = start + Int(points[index])
      if place >= first && place < end { places.append(Int32(truncatingIfNeeded: place)) }
    }
  }

  /// Returns whether a unit before a word is not hyphenated with it: a space, an opening bracket or a quotation mark.
  private static func precedesWords(_ unit: UInt16) -> Bool {
    switch BreakFinder.lineClass(unit) {
    case galley_line_space, galley_line_opening, galley_line_quotation: true
    default: false
    }
  }
}

/// Hyphens of a dictionary at the ends of lines (text-rules 58).
extension LineFiller {
  /// Returns whether a line can end before a unit of the word that does not fit.
  func isOpportunity(before unit: Int32, _ state: LineFillingState, _ store: borrowing TextStore) -> Bool {
    state.hyphenates ? hyphenation.isPlace(unit) : store.breaksWord(at: unit, state)
  }

  /// Returns whether the current word, which does not fit, can be hyphenated.
  ///
  /// - Parameter last: the index of the last segment of the word.
  mutating func hyphenates(_ last: Int, _ state: LineFillingState, _ store: borrowing TextStore) -> Bool {
    // A word that is filled again to leave room for a soft hyphen ends at one.
    guard state.hyphenates && (state.pen.isOpen || state.overflow == nil) else { return false }
    let segments = store.prepared.segments.base
    hyphenation.findPlaces(
      segments[state.index].start..<segments[last].spaceStart, startsLine: !state.pen.isOpen, state.text, store)
    return hyphenation.places.count > 0
  }

  /// Adds the hyphen before a unit to a line.
  func addHyphen(before unit: Int32, to pen: inout LinePen, _ state: LineFillingState, _ store: borrowing TextStore) {
    pen.width = LinePen.roundUp(pen.width) + store.hyphenWidth(before: unit, state)
    pen.isHyphenated = true
  }

  /// Returns the width of a part of a word, in points.
  mutating func width(
    from start: Int32, to end: Int32, _ state: inout LineFillingState, _ store: inout TextStore
  ) -> Double {
    let pen = state.pen
    defer { state.pen = pen }
    _ = clustersThatFit(&state, from: start, to: end, .infinity, &store)
    return state.pen.width
  }
}

extension TextStore {
  /// Returns the width of the hyphen before a unit inside a word, in points.
  func hyphenWidth(before unit: Int32, _ state: LineFillingState) -> Double {
    let style = prepared.items[itemIndex(at: unit - 1, state.text)].style
    return LinePen.roundUp(book.hyphenWidth(style, in: state.text) * state.textScale)
  }
}
