import Buffers
import CHarfBuzz
import CICU

/// A stretch of a text in one script.
struct ScriptRun: BitwiseCopyable {
  /// The index after its last unit, among the units of all texts.
  var end: Int
  var script: hb_script_t
}

/// A bracket that is not closed yet.
struct OpenBracket: BitwiseCopyable {
  var character: UInt32
  /// The script of the stretch that it is in; common until that is known.
  var script: hb_script_t
}

/// The part of itemization that cuts a text into stretches of one script, as Chromium does.
///
/// A character without a script of its own has the script of the characters before it, or else of those after it; a
/// closing bracket has the script of the opening one (UAX #24, section 5).
struct ScriptRunFinder: ~Copyable {
  /// The stretches of the text, in its order.
  private(set) var runs = FlatBuffer<ScriptRun>(capacity: 8)
  private var openBrackets = FlatBuffer<OpenBracket>(capacity: 8)

  /// U+300C, which has the scripts of all full-width brackets that open.
  private static let cornerBracket: UInt32 = 0x300c
  /// The depth of nested brackets up to which they are matched.
  private static let maxOpenBrackets = 32

  /// Finds the stretches of the units in a range of indices among those of all texts.
  mutating func find(in range: Range<Int>, _ store: inout TextStore) {
    runs.removeAll()
    openBrackets.removeAll()
    var scripts = ScriptSet()
    var index = range.lowerBound
    let end = range.upperBound
    while index < end {
      if scripts.first == HB_SCRIPT_LATIN {
        index = Self.endOfLatin(from: index, to: end, store)
        if index == end { break }
      }
      let (scalar, width) = store.scalar(at: index)
      let properties = store.characters[scalar]
      if !properties.contains(.severalScripts) && !properties.contains(.bracket) {
        // Nearly all characters have no script, or the script of the current stretch.
        let script = store.characters.scripts(of: properties).first
        if script == HB_SCRIPT_COMMON || (script == scripts.first && scripts.others == 0) {
          index += width
          continue
        }
      }
      let opening = properties.contains(.bracket) ? matchBracket(scalar) : nil
      var next = opening.map { ScriptSet($0.script) } ?? store.characters.scripts(of: properties)
      let opens = properties.contains(.bracket) && galley_opens_bracket(scalar)
      if opens && properties.contains(.wide) && next.first == HB_SCRIPT_COMMON {
        next = store.characters.scripts(of: store.characters[Self.cornerBracket])
      }
      if !store.characters.scriptSets.merge(&scripts, next) {
        appendRun(scripts.first, to: index)
        scripts = next
      }
      if opens && openBrackets.count < Self.maxOpenBrackets {
        openBrackets.append(OpenBracket(character: scalar, script: HB_SCRIPT_COMMON))
      }
      index += width
    }
    appendRun(scripts.first, to: end)
  }

  /// Returns the end of the printable ASCII characters from `start` that are not brackets and of other Latin letters: they do not
  /// change a Latin stretch.
  private static func endOfLatin(from start: Int, to end: Int, _ store: borrowing TextStore) -> Int {
    let units = store.prepared.units.base
    var index = start
    while index < end {
      switch units[index] {
      case 0x28, 0x29, 0x5b, 0x5d, 0x7b, 0x7d: return index
      case 0x7f... where !PlainCharacters.isLetter(units[index]): return index
      default: index += 1
      }
    }
    return index
  }

  private mutating func appendRun(_ script: hb_script_t, to end: Int) {
    runs.append(ScriptRun(end: end, script: script))
    var index = openBrackets.count
    while index > 0 && openBrackets[index - 1].script == HB_SCRIPT_COMMON {
      index -= 1
      openBrackets.base[index].script = script
    }
  }

  /// Returns the bracket that a closing one matches, and removes it and the brackets after it.
  private mutating func matchBracket(_ closing: UInt32) -> OpenBracket? {
    guard openBrackets.count > 0 && !galley_opens_bracket(closing) else { return nil }
    let character = galley_paired_bracket(closing)
    guard let index = openBrackets.values.lastIndex(where: { $0.character == character }) else { return nil }
    defer { openBrackets.truncate(to: index) }
    return openBrackets[index]
  }
}

/// Returns whether a script is Han or kana.
func isIdeographic(_ script: hb_script_t) -> Bool {
  script == HB_SCRIPT_HAN || script == HB_SCRIPT_HIRAGANA || script == HB_SCRIPT_KATAKANA
}

/// Returns whether letter spacing would separate the joined letters of a script, so that only its spaces take any.
func isCursive(_ script: hb_script_t) -> Bool {
  switch script {
  case HB_SCRIPT_ARABIC, HB_SCRIPT_HANIFI_ROHINGYA, HB_SCRIPT_MANDAIC, HB_SCRIPT_MONGOLIAN, HB_SCRIPT_NKO,
    HB_SCRIPT_PHAGS_PA, HB_SCRIPT_SYRIAC:
    true
  default: false
  }
}
