import Buffers
import CHarfBuzz

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
}
