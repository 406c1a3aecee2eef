import Buffers
import CHarfBuzz
import CICU

/// A stretch of a text in one script.
struct ScriptRun: BitwiseCopyable {
  /// The index of the unit behind it among the units of all texts.
  var end: Int
  var script: hb_script_t
}

/// A bracket that is not closed yet.
struct OpenBracket: BitwiseCopyable {
  var character: UInt32
  /// The script of the stretch that it is in; common until that is known.
  var script: hb_script_t
}

/// Cutting a text into stretches of one script, as Chromium does: what has no script of its own has that of what precedes,
/// or else of what follows; a closing bracket has that of the opening one.
extension TextMeasurer {
  /// Brackets within brackets that are kept.
  private static let maxOpenBrackets = 32

  mutating func findScripts(from start: Int, to end: Int) {
    scriptRuns.removeAll()
    openBrackets.removeAll()
    var scripts = ScriptSet()
    var place = start
    while place < end {
      if scripts.first == HB_SCRIPT_LATIN {
        place = endOfLatin(from: place, to: end)
        if place == end { break }
      }
      let (scalar, width) = scalar(at: place)
      let properties = characters[scalar]
      if !properties.hasScripts && !properties.isBracket {
        // Nearly all characters: without a script, or of the one at hand.
        let script = characters.script(of: properties)
        if script == HB_SCRIPT_COMMON || (script == scripts.first && scripts.others == 0) {
          place += width
          continue
        }
      }
      let opening = properties.isBracket ? matchBracket(scalar) : nil
      let next = opening.map { ScriptSet($0.script) } ?? characters.scripts(of: properties)
      if !characters.merge(&scripts, next) {
        appendScript(scripts.first, to: place)
        scripts = next
      }
      if properties.isBracket && galley_opens_bracket(scalar) && openBrackets.count < Self.maxOpenBrackets {
        openBrackets.append(OpenBracket(character: scalar, script: HB_SCRIPT_COMMON))
      }
      place += width
    }
    appendScript(scripts.first, to: end)
  }

  /// The end of the printable ASCII from a place on that changes nothing behind Latin.
  private func endOfLatin(from start: Int, to end: Int) -> Int {
    var place = start
    while place < end {
      switch prepared.units[place] {
      case 0x28, 0x29, 0x5b, 0x5d, 0x7b, 0x7d, 0x7f...: return place
      default: place += 1
      }
    }
    return place
  }

  private mutating func appendScript(_ script: hb_script_t, to end: Int) {
    scriptRuns.append(ScriptRun(end: end, script: script))
    var index = openBrackets.count
    while index > 0 && openBrackets[index - 1].script == HB_SCRIPT_COMMON {
      index -= 1
      openBrackets.base[index].script = script
    }
  }

  /// The bracket that a closing one matches, which is not open any more.
  private mutating func matchBracket(_ closing: UInt32) -> OpenBracket? {
    guard openBrackets.count > 0 && !galley_opens_bracket(closing) else { return nil }
    let character = galley_paired_bracket(closing)
    guard let index = openBrackets.values.lastIndex(where: { $0.character == character }) else { return nil }
    defer { openBrackets.truncate(to: index) }
    return openBrackets[index]
  }

  /// Scripts that letter spacing would tear apart: only their spaces take any.
  static func isCursive(_ script: hb_script_t) -> Bool {
    switch script {
    case HB_SCRIPT_ARABIC, HB_SCRIPT_HANIFI_ROHINGYA, HB_SCRIPT_MANDAIC, HB_SCRIPT_MONGOLIAN, HB_SCRIPT_NKO,
      HB_SCRIPT_PHAGS_PA, HB_SCRIPT_SYRIAC:
      true
    default: false
    }
  }
}
