import Buffers
import CHarfBuzz
import CICU

/// The advances of the units of a text on Android, in pixels.
struct AndroidAdvances: ~Copyable {
  private(set) var pixels = FlatBuffer<Float>(capacity: 256)
  /// Whether some of them have letter spacing.
  private(set) var isSpaced = false

  /// Finds the advances of a text.
  ///
  /// Half of the letter spacing is added before the glyphs of a cluster and half after them, because a sum that is rounded in another
  /// order than minikin's can exceed a width that it equals.
  mutating func find(_ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore) {
    pixels.removeAll()
    pixels.extend(by: text.unitCount).initialize(repeating: 0, count: text.unitCount)
    isSpaced = false
    var item = -1
    var advance: AndroidAdvance?
    var half = 0.0
    var spacedUnit: Int?
    for index in text.glyphs.first..<text.glyphs.first + text.glyphs.count {
      let glyph = store.prepared.glyphs[index]
      let unit = Int(glyph.unit)
      if let spaced = spacedUnit, spaced != unit {
        addSpacing(half, at: spaced)
        spacedUnit = nil
      }
      if Int(glyph.item) != item {
        item = Int(glyph.item)
        let style = store.prepared.items[item].style
        advance = AndroidAdvance(
          store.book.faces[Int(store.prepared.items[item].context.face)], size: size.pixels(style), size.isLinear)
        half = size.halfLetterSpacing(style)
        isSpaced = isSpaced || half != 0
      }
      if glyph.isSpaced {
        addSpacing(half, at: unit)
        spacedUnit = unit
      }
      if let advance { pixels.base[unit] += advance.pixels(glyph) }
    }
    if let spacedUnit { addSpacing(half, at: spacedUnit) }
  }

  private func addSpacing(_ spacing: Double, at unit: Int) {
    pixels.base[unit] = Float(Double(pixels[unit]) + spacing)
  }

  /// Returns the width of the widest paragraph with the spaces at its end, in whole pixels. Android: `Layout.getDesiredWidth`.
  func desiredWidth(_ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore) -> Float {
    var widest: Float = 0
    var sum: Float = 0
    var start = 0
    let tab = AndroidSizes.tabWidth
    for unit in 0..<text.unitCount {
      switch store.prepared.units[text.unitStart + unit] {
      case 0x0a:
        widest = max(widest, sum - edgeSpacing(of: start..<unit, text, size, store))
        sum = 0
        start = unit + 1
      case 0x09: sum = ((sum / tab).rounded(.down) + 1) * tab
      default: sum += pixels[unit]
      }
    }
    return max(widest, sum - edgeSpacing(of: start..<text.unitCount, text, size, store)).rounded(.up)
  }

  /// Returns the letter spacing that a line loses at its ends, in pixels: half of that of its first and of its last character
  /// with an advance, if their own scripts take any.
  ///
  /// - Parameter line: the offsets of the line's units in the text.
  func edgeSpacing(
    of line: Range<Int>, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> Float {
    guard isSpaced else { return 0 }
    return halfSpacing(at: line.first { isEdge($0, text, store.prepared) }, text, size, store)
      + halfSpacing(at: line.last { isEdge($0, text, store.prepared) }, text, size, store)
  }

  private func isEdge(_ unit: Int, _ text: PreparedText, _ prepared: borrowing PreparedTexts) -> Bool {
    pixels[unit] != 0 && !galley_is_control(AndroidLetterSpacing.character(at: text.unitStart + unit, prepared))
  }

  private func halfSpacing(
    at unit: Int?, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> Float {
    guard let unit else { return 0 }
    let style = store.prepared.items[store.itemIndex(at: Int32(truncatingIfNeeded: unit), text)].style
    guard style.letterSpacing != 0 else { return 0 }
    let character = AndroidLetterSpacing.character(at: text.unitStart + unit, store.prepared)
    let script = hb_unicode_script(hb_unicode_funcs_get_default(), character)
    return AndroidLetterSpacing.isTaken(by: script) ? size.letterSpacing(style) / 2 : 0
  }
}
