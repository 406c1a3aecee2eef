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
  /// The widths that were compared with `limit`.
  private var decisions: WidthDecisions
  /// Those that decided about the lines that are shown.
  private var keptDecisions: WidthDecisions
  /// The most lines that are shown.
  private let maxLines: Int
  /// The letter spacing of the run that is read.
  private var letterSpacing: Float = 0
  /// The letter spacing of the run in which the line before was ended.
  private var firstLetterSpacing: Float

  /// The letter spacing that the line loses at its ends.
  private var edgeSpacing: Float { (firstLetterSpacing + letterSpacing) / 2 }

  private struct Candidate {
    var offset: Int
    var width: Double
    var sum: Double
    var isAddress: Bool
  }

  private init(_ paragraph: AndroidParagraph, limit: Float, maxLines: Int, _ decisions: WidthDecisions) {
    self.paragraph = paragraph
    self.limit = Double(limit)
    self.maxLines = maxLines
    (self.decisions, keptDecisions) = (decisions, decisions)
    firstLetterSpacing = paragraph.runs[0].letterSpacing
  }

  /// Appends the ends of a paragraph's lines.
  ///
  /// - Parameters:
  ///   - maxLines: the most lines of the paragraph that are shown.
  ///   - decisions: the widths that decided about lines so far, to which those of the lines that are shown are added.
  static func breakLines(
    _ paragraph: AndroidParagraph, limit: Float, maxLines: Int, into breaks: inout FlatBuffer<AndroidBreak>,
    _ decisions: inout WidthDecisions
  ) {
    var breaker = GreedyLineBreaker(paragraph, limit: limit, maxLines: maxLines, decisions)
    breaker.breakLines(into: &breaks)
    decisions = breaker.keptDecisions
  }

  private mutating func breakLines(into breaks: inout FlatBuffer<AndroidBreak>) {
    var index = 0
    for run in paragraph.runs {
      letterSpacing = run.letterSpacing
      while index < min(run.end, paragraph.count) {
        add(paragraph.units[index], paragraph.advances[index])
        index += 1
        let opportunity = paragraph.opportunities[index]
        if opportunity.contains(.word) { process(index, isAddress: opportunity.contains(.address), into: &breaks) }
      }
    }
    if start != paragraph.count, let candidate { endLine(candidate.offset, width, (0, 0), into: &breaks) }
  }

  private mutating func add(_ unit: UInt16, _ advance: Float) {
    if unit == 0x09 {
      let tab = Double(AndroidSizes.tabWidth)
      sum = ((sum / tab).rounded(.down) + 1) * tab
      width = sum
    } else {
      sum += Double(advance)
      if !AndroidParagraph.hangs(unit) { width = sum }
    }
  }

  /// Ends lines until the text before an opportunity fits.
  private mutating func process(_ offset: Int, isAddress: Bool, into breaks: inout FlatBuffer<AndroidBreak>) {
    while exceeds(width - Double(edgeSpacing)) {
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
      if exceeds(Double(Float(taken) + Float(advance) - edgeSpacing)) {
        endLine(index, taken, (width - taken, sum - taken), into: &breaks)
        return false
      }
      taken = Double(Float(taken) + Float(advance))
    }
    endLine(end, width, (0, 0), into: &breaks)
    return true
  }

  /// Returns whether a width is more than the line has.
  private mutating func exceeds(_ width: Double) -> Bool {
    decisions.note(width, fits: width <= limit)
    return width > limit
  }

  private mutating func endLine(
    _ offset: Int, _ width: Double, _ rest: (width: Double, sum: Double),
    into breaks: inout FlatBuffer<AndroidBreak>
  ) {
    breaks.append(AndroidBreak(end: Int32(truncatingIfNeeded: offset), width: Float(width) - edgeSpacing))
    if breaks.count <= maxLines { keptDecisions = decisions }
    start = offset
    // minikin passes them as numbers of 32 bits.
    (self.width, sum) = (Double(Float(rest.width)), Double(Float(rest.sum)))
    candidate = nil
    firstLetterSpacing = letterSpacing
  }
}
