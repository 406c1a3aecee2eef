import Buffers
import CICU

/// The part of segment cutting that finds where lines can break: ICU's line iterator (UAX #14) with the differences that
/// Chromium has (text-rules 1 to 6).
struct BreakFinder: ~Copyable {
  /// Whether a line can begin at each unit of the range that was searched last; index 0 is the range's first unit.
  private var opportunities = FlatBuffer<Bool>(capacity: 256)
  /// The units as ICU receives them, where they differ from the text.
  private var replaced = FlatBuffer<UInt16>(capacity: 16)
  /// The number of units that ICU has searched, which tests compare with the lengths of texts.
  private(set) var searchedUnits = 0
  private var iterators = BreakIterators()
  /// The opportunities that were found between plain characters, by the raw value of the engine.
  private let plain = InlineArray<3, PlainBreaks> { _ in PlainBreaks() }

  deinit {
    for engine in plain.indices { plain[engine].destroy() }
  }

  @inline(__always)
  subscript(index: Int) -> Bool { opportunities[index] }

  /// Finds the break opportunities before the units of a text in a range.
  mutating func find(in range: Range<Int>, _ text: PreparedText, _ store: inout TextStore) {
    let count = range.count
    opportunities.removeAll()
    opportunities.extend(by: count + 1).initialize(repeating: false, count: count + 1)
    guard count > 0 else { return }
    let start = text.unitStart + range.lowerBound
    var units = UnsafePointer(store.prepared.units.base + start)
    if !text.traits.isDisjoint(with: [.eastAsian, .substitutes, .bidirectional]) {
      copy(units, count)
      if text.rules.traits.contains(.bracketQuotes) { store.characters.replaceQuotes(replaced.base, count) }
      replaceHebrew(count)
      restoreSubstituted(start, count, store.prepared)
      units = UnsafePointer(replaced.base)
    }
    find(units, count, start, text, store)
    if text.options.css.wordBreak == .keepAll { keepWords(units, count) }
  }

  /// Returns the opportunities between plain characters that were found so far.
  func plainBreaks(_ engine: BrowserRules.Engine) -> PlainBreaks { plain[Int(engine.rawValue)] }

  /// Decides with ICU whether a line can end between two plain characters, which are not both ASCII, and notes that in `plainBreaks`.
  mutating func decide(_ before: UInt16, _ after: UInt16, _ text: PreparedText, _ store: borrowing TextStore) {
    opportunities.removeAll()
    opportunities.extend(by: 3).initialize(repeating: false, count: 3)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2) { units in
      (units[0], units[1]) = (before, after)
      if let start = units.baseAddress { find(start, 2, text.unitStart, text, store) }
    }
    let decided = plainBreaks(text.rules.engine)
    decided[PlainCharacters.number(of: before), PlainCharacters.number(of: after)] =
      opportunities[1] ? .allowed : .forbidden
  }

  /// Notes the opportunities between units, which have none so far.
  ///
  /// - Parameter start: the index of the first unit among those of all texts.
  private mutating func find(
    _ units: UnsafePointer<UInt16>, _ count: Int, _ start: Int, _ text: PreparedText, _ store: borrowing TextStore
  ) {
    let kind = text.rules.traits.contains(.strict) ? galley_breaks_strict_lines : text.options.css.lines
    if (0..<count).contains(where: { units[$0] >= 0x7f }) {
      if text.traits.contains(.eastAsian) {
        searchAroundIdeographs(kind, units, count)
      } else {
        search(0..<count, kind, units)
      }
    }
    let engine = text.rules.engine
    switch engine {
    case .chromium:
      if text.traits.contains(.dictionary) {
        let opportunities = opportunities.base
        DictionaryWords.divideAll(units, count) { opportunities[$0] = $1 }
      }
      decide(units, count, engine.pairs) { _ in nil }
      keepHyphens(units, count, start, store)
    case .webKit: decide(units, count, engine.pairs, BreakTailoring.webKit)
    case .firefox: decide(units, count, engine.pairs, BreakTailoring.firefox)
    }
  }

  /// Lets lines break before and after attachments, whatever is there, but not before spaces. Chromium does so around an
  /// `inline-block`, and ignores the class of U+FFFC.
  mutating func allowAroundAttachments(in range: Range<Int>, _ text: PreparedText, _ prepared: borrowing PreparedTexts)
  {
    for item in text.items.first..<text.items.first + text.items.count
    where prepared.items[item].style.attachment != nil {
      for unit in [Int(prepared.items[item].start), Int(prepared.items[item].end)]
      where unit > range.lowerBound && unit < range.upperBound
        && !HangingSpaces.isBlank(prepared.units[text.unitStart + unit])
      {
        opportunities[unit - range.lowerBound] = true
      }
    }
  }

  /// Decides the opportunities that ICU found or did not search.
  ///
  /// - Parameter tailoring: returns the decision of a browser, or nil where the rules that all browsers have decide.
  @inline(__always)
  private mutating func decide(
    _ units: UnsafePointer<UInt16>, _ count: Int, _ pairs: AsciiBreaks,
    _ tailoring: (BreakTailoring.Place) -> Bool?
  ) {
    for index in 1..<max(count, 1) {
      let before = units[index - 1]
      let after = units[index]
      let place = BreakTailoring.Place(
        beforeThat: index > 1 ? units[index - 2] : 0, before: before, after: after, isFound: opportunities[index])
      if let decision = tailoring(place) {
        opportunities[index] = decision
      } else if (AsciiBreaks.isLetter(before) && AsciiBreaks.isLetter(after)) || HangingSpaces.isBlank(after) {
        opportunities[index] = false
      } else if HangingSpaces.isBlank(before) {
        opportunities[index] = true
      } else if before < 0x20 || after < 0x20 {
        opportunities[index] = false
      } else if before < 0x7f && after < 0x7f {
        opportunities[index] = pairs.allows(index > 1 ? units[index - 2] : 0, before, after)
      } else if before == 0xa0 && after < 0x7f {
        opportunities[index] = false
      } else if after == 0xa0 && before < 0x7f {
        opportunities[index] = before == 0x2d || before == 0x7c
      }
    }
  }

  /// Decides the opportunities after hyphens and the marks on them (text-rules 6).
  ///
  /// - Parameter start: the index of the first unit among those of all texts.
  private mutating func keepHyphens(
    _ units: UnsafePointer<UInt16>, _ count: Int, _ start: Int, _ store: borrowing TextStore
  ) {
    for index in 0..<max(count, 1) - 1 where Self.isHyphen(units[index]) {
      var after = index + 1
      while after < count && Self.lineClass(units[after]) == galley_line_mark { after += 1 }
      guard after < count && max(units[index], units[after]) >= 0x7f else { continue }
      if let allows = Self.allowsAfterHyphen(units, index, store.scalar(at: start + after).0) {
        opportunities[after] = allows
      }
    }
  }

  /// Removes the opportunities between letters and numbers (text-rules 52).
  @inline(never)
  private mutating func keepWords(_ units: UnsafePointer<UInt16>, _ count: Int) {
    for index in 1..<max(count, 1) where opportunities[index] {
      // Marks belong to the letter before them.
      var last = index - 1
      while last > 0 && galley_kept(UInt32(units[last])) == galley_kept_mark { last -= 1 }
      if galley_kept(UInt32(units[last])) == galley_kept_letter
        && galley_kept(UInt32(units[index])) == galley_kept_letter
      {
        opportunities[index] = false
      }
    }
  }

  /// Notes the break opportunities of a text with ideographs. Lines break between all of these, so that ICU does not search inside long
  /// runs of them.
  private mutating func searchAroundIdeographs(
    _ kind: galley_breaks_kind, _ units: UnsafePointer<UInt16>, _ count: Int
  ) {
    var searched = 0
    var index = 0
    while index < count {
      let first = index
      while index < count && Ideographs.allowsBreaks(units[index]) { index += 1 }
      if index - first >= Self.longRun {
        search(searched..<first + 1, kind, units)
        for unit in first + 1..<index { opportunities[unit] = true }
        searched = index - 1
      }
      index += 1
    }
    search(searched..<count, kind, units)
  }

  /// The least number of ideographs in a row that ICU does not search. To start ICU again costs more than to search fewer.
  private static let longRun = 5

  /// Notes the break opportunities that ICU finds in a range of units.
  private mutating func search(_ range: Range<Int>, _ kind: galley_breaks_kind, _ units: UnsafePointer<UInt16>) {
    guard range.count > 1 else { return }
    searchedUnits &+= range.count
    let opportunities = opportunities.base + range.lowerBound
    iterators.forEachBoundary(kind, units + range.lowerBound, range.count) { opportunities[$0] = true }
  }

  private mutating func copy(_ units: UnsafePointer<UInt16>, _ count: Int) {
    replaced.removeAll()
    replaced.append(contentsOf: UnsafeBufferPointer(start: units, count: count))
  }

  /// Replaces Hebrew letters before a break opportunity that is not a hyphen: since Unicode 17, lines break there (UAX
  /// #14, LB21a), but an older ICU breaks so only after other letters.
  private mutating func replaceHebrew(_ count: Int) {
    for index in 0..<count - 1 where Self.isHebrew(replaced[index]) && Self.isBreakAfter(replaced[index + 1]) {
      replaced.base[index] = 0x0430
    }
  }

  /// Returns whether a unit is a break opportunity that is not a hyphen (Line_Break is BA).
  private static func isBreakAfter(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x7c, 0xad, 0x1680, 0x2000...0x2006, 0x2008...0x200a, 0x205f, 0x3000: true
    default: false
    }
  }

  /// Restores the original units of those that are shaped as others: lines break around what is written.
  private mutating func restoreSubstituted(_ start: Int, _ count: Int, _ prepared: borrowing PreparedTexts) {
    for substitute in prepared.substitutes(from: start) {
      if substitute.index >= start + count { break }
      replaced[substitute.index - start] = substitute.original
    }
  }
}

extension CharacterTable {
  /// Replaces quotation marks between wide characters by brackets, which break like them (text-rules 5).
  mutating func replaceQuotes(_ units: UnsafeMutablePointer<UInt16>, _ count: Int) {
    guard count > 2 else { return }
    for index in 1..<count - 1 {
      let bracket: UInt16
      switch units[index] {
      case 0x201c, 0x2018, 0x00ab, 0x2039: bracket = 0x300c
      case 0x201d, 0x2019, 0x00bb, 0x203a: bracket = 0x300d
      default: continue
      }
      if isBetweenWide(index, units, count) { units[index] = bracket }
    }
  }

  /// Returns whether the characters before and after a unit are wide.
  @inline(never)
  private mutating func isBetweenWide(_ index: Int, _ units: UnsafePointer<UInt16>, _ count: Int) -> Bool {
    isWide(units.scalar(before: index)) && isWide(units.scalar(at: index + 1, of: count))
  }

  private mutating func isWide(_ scalar: UInt32) -> Bool { scalar > 0x10ff && self[scalar].contains(.wide) }
}
