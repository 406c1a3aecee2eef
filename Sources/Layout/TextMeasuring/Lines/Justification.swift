import Buffers
import LayoutEngine

/// The justification of lines: each space of a line takes an equal part of the room that is left. The last line of a paragraph and a
/// line that is cut are not justified. CSS: `text-align: justify`.
enum Justification {
  /// Returns whether a unit of a text becomes wider: a space, and in Chromium and WebKit a tab. Measured in Chromium 156 and
  /// Firefox 153; WebKit's sources were read.
  static func isSpace(_ unit: UInt16, on platform: Platform) -> Bool {
    unit == 0x20 || unit == 0xa0 || unit == 0x09 && platform.isBrowser && platform != .firefox
  }
}

extension TextMeasurer {
  /// Returns the length by which each space of a line becomes wider, in points; 0 for a line that is not justified.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - line: a line of the text, as `appendLines` returned it.
  ///   - next: the line after it, or nil.
  ///   - width: the width of the room of the lines, in points.
  public mutating func stretch(of number: Int, _ line: TextLine, next: TextLine?, to width: Double) -> Double {
    let text = store.prepared.texts.base + number
    let units = store.prepared.units.base + text.pointee.unitStart
    guard let next, !line.traits.contains(.ellipsis), next.start > 0, units[Int(next.start) - 1] != 0x0a else {
      return 0
    }
    let count = spaceCount(of: number, line)
    let spare = text.pointee.options.paragraphs.end(in: width) - Double(line.x) - line.exclusion.width - line.width
    return count > 0 && spare > 0 ? spare / Double(count) : 0
  }

  /// Returns the number of spaces of a line that become wider when it is justified.
  public mutating func spaceCount(of number: Int, _ line: TextLine) -> Int {
    let text = store.prepared.texts.base + number
    let units = store.prepared.units.base + text.pointee.unitStart
    let platform = text.pointee.options.platform
    var count = 0
    for unit in Int(line.start)..<max(Int(line.start), Int(line.end))
    where Justification.isSpace(units[unit], on: platform) {
      count += 1
    }
    return count
  }

  /// Makes a stretch wider for a unit that justification makes wider.
  func stretch(_ run: inout DirectionalRun, _ unit: UInt16, _ line: LineDrawing) {
    guard line.stretch > 0, Justification.isSpace(unit, on: line.text.options.platform) else { return }
    run.width += line.stretch
    run.stretch += line.stretch
  }

  /// Returns the indents and spaces of the paragraphs of a text.
  public mutating func paragraphs(of number: Int) -> ParagraphStyle {
    store.prepared.texts.base[number].options.paragraphs
  }
}
