import Buffers
import CICU

/// Where lines may break: ICU's line iterator with the differences that Chromium has (text-rules 1 to 6).
extension TextMeasurer {
  /// Notes for each unit from `start` on whether a line may begin there; `breaks[0]` is that of the unit `start`.
  mutating func findBreaks(from start: Int, count: Int, _ traits: Traits) {
    breaks.removeAll()
    breaks.extend(by: count + 1).initialize(repeating: false, count: count + 1)
    guard count > 0 else { return }
    var units = prepared.units.base + start
    if !traits.isDisjoint(with: [.eastAsian, .substitutes, .bidirectional]) {
      replaceQuotes(start, count)
      replaceHebrew(count)
      restoreSubstituted(start, count)
      units = quoted.base
    }
    iterateAroundOthers(units, count)
    for index in 1..<max(count, 1) {
      let before = units[index - 1]
      let after = units[index]
      if Self.isBlank(after) {
        breaks[index] = false
      } else if Self.isBlank(before) {
        breaks[index] = true
      } else if before < 0x20 || after < 0x20 {
        breaks[index] = false
      } else if before < 0x7f && after < 0x7f {
        let beforeThat = index > 1 && units[index - 2] < 0x7f ? UInt8(truncatingIfNeeded: units[index - 2]) : 0
        breaks[index] = AsciiBreaks.allows(
          beforeThat, UInt8(truncatingIfNeeded: before), UInt8(truncatingIfNeeded: after))
      } else if (before == 0xa0 && after < 0x7f) || (after == 0xa0 && before < 0x7f) {
        breaks[index] = false
      } else if Self.isHyphen(before) {
        let beforeThat = index > 1 ? units[index - 2] : 0x20
        if Self.isHebrew(beforeThat) && Self.isHebrew(after) {
          breaks[index] = true
        } else if before != 0x2d && before != 0x05be && (Self.isBlank(beforeThat) || beforeThat == 0xa0)
          && galley_is_letter(scalar(at: start + index).0)
        {
          breaks[index] = false
        }
      }
    }
  }

  /// Printable ASCII units in a row for which going on with ICU costs less than setting it on again behind them.
  private static let minSkipped = 24

  /// Asks ICU where the answer counts: at what is no ASCII, in stretches that begin and end where a line may break
  /// whatever is before and behind.
  private mutating func iterateAroundOthers(_ units: UnsafePointer<UInt16>, _ count: Int) {
    var done = 0
    while let other = (done..<count).first(where: { units[$0] >= 0x7f }) {
      var start = other
      while start > done && !Self.breaksAnyway(units, start) { start -= 1 }
      var end = other + 1
      var last = other
      while end < count && !(end - last > Self.minSkipped && Self.breaksAnyway(units, end)) {
        if units[end] >= 0x7f { last = end }
        end += 1
      }
      iterate(units, start, end)
      done = end
    }
  }

  /// Whether ICU breaks here and sees nothing of what is before: between a letter with a space and a letter.
  private static func breaksAnyway(_ units: UnsafePointer<UInt16>, _ place: Int) -> Bool {
    place > 1 && AsciiBreaks.isLetter(units[place]) && units[place - 1] == 0x20
      && AsciiBreaks.isLetter(units[place - 2])
  }

  private mutating func iterate(_ units: UnsafePointer<UInt16>, _ start: Int, _ end: Int) {
    guard let lineBreaks, galley_breaks_set_text(lineBreaks, units + start, Int32(truncatingIfNeeded: end - start))
    else { return }
    var boundary = galley_breaks_next(lineBreaks)
    while boundary >= 0 {
      breaks[start + Int(boundary)] = true
      boundary = galley_breaks_next(lineBreaks)
    }
  }

  /// Quotes between wide characters break like brackets (text-rules 5).
  private mutating func replaceQuotes(_ start: Int, _ count: Int) {
    quoted.removeAll()
    quoted.append(contentsOf: UnsafeBufferPointer(start: prepared.units.base + start, count: count))
    guard count > 2 else { return }
    for index in 1..<count - 1 {
      let bracket: UInt16
      switch quoted[index] {
      case 0x201c, 0x2018, 0x00ab, 0x2039: bracket = 0x300c
      case 0x201d, 0x2019, 0x00bb, 0x203a: bracket = 0x300d
      default: continue
      }
      if isWide(prepared.units[start + index - 1]) && isWide(prepared.units[start + index + 1]) {
        quoted[index] = bracket
      }
    }
  }

  /// Since Unicode 17, lines break behind Hebrew and what gives an opportunity to break unless that is a hyphen (UAX #14,
  /// LB21a). An older ICU does so behind any other letter.
  private mutating func replaceHebrew(_ count: Int) {
    for index in 0..<count - 1 where Self.isHebrew(quoted[index]) && Self.isBreakAfter(quoted[index + 1]) {
      quoted.base[index] = 0x0430
    }
  }

  /// Whether a line may break behind a unit that is no hyphen (Line_Break is BA).
  private static func isBreakAfter(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x7c, 0xad, 0x1680, 0x2000...0x2006, 0x2008...0x200a, 0x205f, 0x3000: true
    default: false
    }
  }

  /// Lines break around what is written, whatever it is shaped as.
  private mutating func restoreSubstituted(_ start: Int, _ count: Int) {
    let substitutes = prepared.substitutes.values
    var index = 0
    var after = substitutes.count
    while index < after {
      let middle = (index + after) / 2
      if substitutes[middle].place < start { index = middle + 1 } else { after = middle }
    }
    while index < substitutes.count && substitutes[index].place < start + count {
      quoted[substitutes[index].place - start] = substitutes[index].original
      index += 1
    }
  }

  private mutating func isWide(_ unit: UInt16) -> Bool {
    // Beyond the basic plane nearly all that stands next to quotes is Han.
    unit & 0xf800 == 0xd800 || (unit > 0x10ff && characters[UInt32(unit)].isWide)
  }

  @inline(__always)
  static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0x09 || unit == 0x0a }

  static func isHyphen(_ unit: UInt16) -> Bool {
    unit == 0x2d || unit == 0x2010 || unit == 0x2012 || unit == 0x2013 || unit == 0x05be
  }

  private static func isHebrew(_ unit: UInt16) -> Bool { unit >= 0x05d0 && unit <= 0x05ea }
}
