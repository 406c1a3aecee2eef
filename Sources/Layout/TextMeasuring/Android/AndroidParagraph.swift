import Buffers

/// A stretch of a paragraph in one style.
struct AndroidRun: BitwiseCopyable {
  /// The offset in the paragraph after its last unit.
  var end: Int
  /// The letter spacing in pixels. A line loses half of it at each end.
  var letterSpacing: Float
  /// The size of the font in pixels.
  var fontSize: Float
}

/// A paragraph of a text at a size in pixels, from whose widths lines are chosen.
struct AndroidParagraph {
  /// The units, up to and with the newline at the end.
  let units: UnsafePointer<UInt16>
  let count: Int
  /// The advance of each unit in pixels: that of a cluster at its first unit, and 0 at the others.
  let advances: UnsafePointer<Float>
  /// The opportunity before each unit, and at the end.
  let opportunities: UnsafePointer<AndroidOpportunity>
  /// Its runs, at least one.
  let runs: UnsafeBufferPointer<AndroidRun>

  /// Whether it runs from right to left.
  var isRightToLeft: Bool { opportunities[0].contains(.rightToLeft) }

  /// Returns the offset after the last unit of a line that does not hang.
  static func shownEnd(of line: Range<Int>, _ units: UnsafePointer<UInt16>) -> Int {
    var end = line.upperBound
    while end > line.lowerBound && hangs(units[end - 1]) { end -= 1 }
    return end
  }

  /// Whether it has tabs, with which its lines are filled greedily.
  var hasTab: Bool {
    for index in 0..<count where units[index] == 0x09 { return true }
    return false
  }

  /// Returns whether a unit hangs at the end of a line: a space that lines can break after, or a newline.
  @inline(__always)
  static func hangs(_ unit: UInt16) -> Bool {
    if unit < 0x1680 { return unit == 0x20 || unit == 0x0a }
    switch unit {
    case 0x1680, 0x2000...0x2006, 0x2008...0x200a, 0x205f, 0x3000: return true
    default: return false
    }
  }
}

/// The end of a line of a paragraph.
struct AndroidBreak: BitwiseCopyable {
  /// The offset in the paragraph after the last unit, with the spaces that hang.
  var end: Int32
  /// The width without the spaces that hang, in pixels.
  var width: Float
}

extension PreparedTexts {
  /// Returns the end of the paragraph of a text that starts at an index of the units of all texts: after its newline, or at the
  /// end of the text.
  func paragraphEnd(from start: Int, _ text: PreparedText) -> Int {
    var end = start + 1
    while end < text.unitStart + text.unitCount && units[end - 1] != 0x0a { end += 1 }
    return end
  }
}
