import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// Texts whose fonts become smaller until they fit. Texture: `ASTextKitFontSizeAdjuster`.
extension JobLayout {
  /// A text that was prepared at a factor of its font sizes.
  struct ScaledText: BitwiseCopyable {
    /// The index of the text in the row.
    var text: Int
    var factor: Double
    /// The text scale, on which the rounded sizes of its fonts depend. A text at the factor 1 is the same at all scales.
    var textScale: Double
    /// The number by which the measurer knows it.
    var prepared: Int32
  }

  /// Measures a text at the first of its factors at which its longest word, its lines and its height fit, or else at the last
  /// one. A text that is measured without a limit of its width is not scaled.
  func measureScaled(
    _ index: Int, _ room: Size, _ factors: PointSizeScaleFactors,
    around exclusions: UnsafePointer<ExclusionPaths>?
  ) -> LeafMeasurement {
    use(index, at: 1)
    // The lines that are recorded are then those of the text.
    let word = room.width.isFinite ? widthOfLongestWord(index) : 0
    // Nothing is known of the factor in another width.
    let margins = TextMargins(narrower: 0, wider: 0)
    var measured = measureLines(index, room.width, room.height, margins, around: exclusions)
    guard room.width.isFinite else { return measured }
    var factor = 1.0
    for next in 0..<factors.count {
      if measured.detail & Self.truncatedBit == 0 && word * factor <= room.width { break }
      factor = factors[next]
      use(index, at: factor)
      measured = measureLines(index, room.width, room.height, margins, around: exclusions)
    }
    return measured
  }

  /// Returns the factor of the font sizes in which a text was measured last.
  func factor(ofText index: Int) -> Double {
    state.scaledTexts.values.first { $0.prepared == state.preparedTexts[index] }?.factor ?? 1
  }

  /// Makes a text the one that is prepared at a factor.
  private func use(_ index: Int, at factor: Double) {
    let own = textScale(ofText: index)
    let textScale = factor == 1 ? 1 : own
    if let known = state.scaledTexts.values.first(where: {
      $0.text == index && $0.factor == factor && $0.textScale == textScale
    }) {
      state.preparedTexts[index] = known.prepared
      return
    }
    var number = state.preparedTexts[index]
    if factor != 1 {
      let runs = runs(ofText: index).map { run in
        TextRun(
          text: run.text, style: PointSizeScaleFactors.style(run.style, at: factor, textScale: own),
          font: run.font)
      }
      let options = PointSizeScaleFactors.options(options(ofText: index), at: factor)
      number = Int32(
        truncatingIfNeeded: runs.withUnsafeBufferPointer {
          state.measurer.prepare($0, options, textScale: own, countsMissingGlyphs: false)
        })
      state.preparedTexts[index] = number
    }
    state.scaledTexts.append(ScaledText(text: index, factor: factor, textScale: textScale, prepared: number))
  }

  /// The tab and the characters of the category Zs, as UTF-8.
  private static let spaces: [[UInt8]] =
    ([0x09, 0x20, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000] + Array(0x2000...0x200a)).compactMap {
      Unicode.Scalar($0).map { Array(String($0).utf8) }
    }

  /// Returns the width in points of the longest word of a text in its own fonts. Words are separated by tabs and the spaces of
  /// Unicode (`NSCharacterSet.whitespaceCharacterSet`).
  private func widthOfLongestWord(_ index: Int) -> Double {
    let runs = Array(runs(ofText: index))
    var (bytes, longest, start, length) = (0, 0..<0, 0, 0)
    var longestLength = 0
    let text = runs.flatMap { Array($0.text.bytes) } + [UInt8(ascii: " ")]
    while bytes < text.count {
      let mayBeSpace = text[bytes] <= 0x20 || text[bytes] >= 0xc2
      if mayBeSpace, let space = Self.spaces.first(where: { text[bytes...].starts(with: $0) }) {
        if length > longestLength { (longest, longestLength) = (start..<bytes, length) }
        bytes += space.count
        (start, length) = (bytes, 0)
      } else {
        length += MarkOffsets.utf16.units(ofByte: text[bytes])
        bytes += 1
      }
    }
    var runStart = 0
    var parts: [TextRun] = []
    for run in runs {
      let part = longest.clamped(to: runStart..<runStart + run.text.count)
      if !part.isEmpty {
        var part = TextRun(
          text: run.text.slice(part.lowerBound - runStart, part.upperBound - runStart), style: run.style)
        part.font = run.font
        parts.append(part)
      }
      runStart += run.text.count
    }
    let textScale = textScale(ofText: index)
    let word = parts.withUnsafeBufferPointer {
      state.measurer.prepare($0, TextOptions(), textScale: textScale, countsMissingGlyphs: false)
    }
    return state.measurer.measure(word, textScale: textScale, maxWidth: .infinity, maxHeight: .infinity).width
  }
}
