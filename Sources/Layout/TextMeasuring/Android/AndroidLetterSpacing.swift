import Buffers
import CHarfBuzz
import CICU

/// Which characters take letter spacing on Android: half of it on each side. Source: minikin's `LetterSpacingUtils` and
/// `Layout`.
enum AndroidLetterSpacing {
  /// Returns whether letters of a script stand apart, so that letter spacing does not separate joined ones.
  static func isTaken(by script: hb_script_t) -> Bool {
    switch script {
    case HB_SCRIPT_ARABIC, HB_SCRIPT_NKO, HB_SCRIPT_PSALTER_PAHLAVI, HB_SCRIPT_MANDAIC, HB_SCRIPT_MONGOLIAN,
      HB_SCRIPT_PHAGS_PA, HB_SCRIPT_DEVANAGARI, HB_SCRIPT_BENGALI, HB_SCRIPT_GURMUKHI, HB_SCRIPT_MODI,
      HB_SCRIPT_SHARADA, HB_SCRIPT_SYLOTI_NAGRI, HB_SCRIPT_TIRHUTA, HB_SCRIPT_OGHAM:
      false
    default: true
    }
  }

  /// Returns the character at an index of the units of all texts that minikin looks at: U+FFFD for each pair of surrogates.
  static func character(at unit: Int, _ prepared: borrowing PreparedTexts) -> UInt32 {
    let value = UInt32(prepared.units[unit])
    return value & 0xf800 == 0xd800 ? 0xfffd : value
  }

  /// Returns the letter spacing that a line loses at its ends, in pixels: half of that of its first and of its last character
  /// with an advance, if their own scripts take any.
  ///
  /// - Parameters:
  ///   - line: the offsets of the line's units in the text.
  ///   - advances: the advances of the units of the text.
  static func edges(
    of line: Range<Int>, _ text: PreparedText, _ size: AndroidSizes, advances: UnsafePointer<Float>,
    _ store: borrowing TextStore
  ) -> Float {
    half(at: line.first { isEdge($0, text, advances, store.prepared) }, text, size, store)
      + half(at: line.last { isEdge($0, text, advances, store.prepared) }, text, size, store)
  }

  private static func isEdge(
    _ unit: Int, _ text: PreparedText, _ advances: UnsafePointer<Float>, _ prepared: borrowing PreparedTexts
  ) -> Bool {
    advances[unit] != 0 && !galley_is_control(character(at: text.unitStart + unit, prepared))
  }

  private static func half(
    at unit: Int?, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> Float {
    guard let unit else { return 0 }
    let style = store.prepared.items[store.itemIndex(at: Int32(truncatingIfNeeded: unit), text)].style
    guard style.letterSpacing != 0 else { return 0 }
    let character = character(at: text.unitStart + unit, store.prepared)
    let script = hb_unicode_script(hb_unicode_funcs_get_default(), character)
    return isTaken(by: script) ? size.letterSpacing(style) / 2 : 0
  }
}
