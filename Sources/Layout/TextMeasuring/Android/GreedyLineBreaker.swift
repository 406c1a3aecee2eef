import Buffers

/// The choice of lines that each take as many words as fit. Source: minikin's `GreedyLineBreaker`.
struct GreedyLineBreaker {
  private let paragraph: AndroidParagraph
  private let limit: Double
  private var start = 0
  private var width = 0.0
  private var sum = 0.0
  /// The last opportunity on the line, and the widths up to it.
  private var candidate: Candidate?

  private struct Candidate {
    var offset: Int
    var width: Double
    var sum: Double
    var isAddress: Bool
  }

  private init(_ paragraph: AndroidParagraph, limit: Float) {
    self.paragraph = paragraph
    self.limit = Double(limit)
  }

  /// Appends the ends of a paragraph's lines.
  static func breakLines(
    _ paragraph: AndroidParagraph, limit: Float, into breaks: inout FlatBuffer<AndroidBreak>
  ) {
    var breaker = GreedyLineBreaker(paragraph, limit: limit)
    breaker.breakLines(into: &breaks)
  }

  private mutating func breakLines(into breaks: inout FlatBuffer<AndroidBreak>) {
    for index in 0..<paragraph.count {
      add(paragraph.units[index], paragraph.advances[index])
      let opportunity = paragraph.opportunities[index + 1]
      if opportunity.contains(.word) {
        process(index + 1, isAddress: opportunity.contains(.address), into: &breaks)
      }
    }
    if start != paragraph.count, let candidate { endLine(candidate.offset, width, (0, 0), into: &breaks) }
  }

  private mutating func add(_ unit: UInt16, _ advance: Float) {
    if unit == 0x09 {
      let tab = Double(paragraph.tabWidth)
      sum = ((sum / tab).rounded(.down) + 1) * tab
      width = sum
    } else {
      sum += Double(advance)
      if !AndroidParagraph.hangs(unit) { width = sum }
    }
  }

  /// Ends lines until the text before an opportunity fits.
  private mutating func process(_ offset: Int, isAddress: Bool, into breaks: inout FlatBuffer<AndroidBreak>) {
    while width - Double(paragraph.letterSpacing) > limit {
      if let candidate {
        endLine(candidate.offset, candidate.width, (width - candidate.sum, sum - candidate.sum), into: &breaks)
      } else if breakInside(offset, into: &breaks) {
        return
      }
    }
    if candidate?.isAddress ?? true || !isAddress {
      candidate = Candidate(offset: offset, width: width, sum: sum, isAddress: isAddress)
    }
  }

  /// Ends a line inside of a word that is too long. Returns whether the word was used up.
  private mutating func breakInside(_ end: Int, into breaks: inout FlatBuffer<AndroidBreak>) -> Bool {
    var taken = Double(paragraph.advances[start])
    for index in start + 1..<max(end, start + 1) where paragraph.advances[index] != 0 {
      let advance = Double(paragraph.advances[index])
      if Float(taken) + Float(advance) - paragraph.letterSpacing > Float(limit) {
        endLine(index, taken, (width - taken, sum - taken), into: &breaks)
        return false
      }
      taken = Double(Float(taken) + Float(advance))
    }
    endLine(end, width, (0, 0), into: &breaks)
    return true
  }

  private mutating func endLine(
    _ offset: Int, _ width: Double, _ rest: (width: Double, sum: Double),
    into breaks: inout FlatBuffer<AndroidBreak>
  ) {
    breaks.append(AndroidBreak(end: Int32(truncatingIfNeeded: offset), width: Float(width) - paragraph.letterSpacing))
    start = offset
    (self.width, sum) = rest
    candidate = nil
  }
}
