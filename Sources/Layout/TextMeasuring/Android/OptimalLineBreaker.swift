import Buffers

/// The choice of lines that together have the least unused space. Source: minikin's `OptimalLineBreaker`.
struct OptimalLineBreaker: ~Copyable {
  private var candidates = BreakCandidates()

  /// The penalty of a break inside of a word.
  private static let desperate: Float = 1e10
  /// The penalty of a break inside of a part of an address, where ICU breaks lines.
  private static let fallback: Float = 1e6

  /// Appends the ends of a paragraph's lines. The paragraph has no tabs. Lines of very many characters are chosen one after
  /// the other.
  ///
  /// - Parameter decisions: the widths that decided about lines so far, to which the width of the paragraph is added.
  /// - Returns: whether the paragraph is wider than a line, so that its lines were chosen together.
  mutating func breakLines(
    _ paragraph: AndroidParagraph, limit: Float, balanced: Bool, into breaks: inout FlatBuffer<AndroidBreak>,
    _ decisions: inout WidthDecisions
  ) -> Bool {
    findCandidates(paragraph, limit: limit)
    let whole = candidates.values[candidates.values.count - 1]
    let width = whole.after - candidates.values[0].before
    decisions.note(Double(width), fits: width <= limit)
    if width <= limit {
      // A second line has unused space and a penalty in any case.
      breaks.append(AndroidBreak(end: whole.unit, width: width))
      return false
    }
    var fontSize: Float = 0
    for run in paragraph.runs { fontSize = max(fontSize, run.fontSize) }
    let parameters = BreakCandidates.Parameters(
      isBalanced: balanced, firstLimit: limit, limit: limit, linePenalty: 2 * Self.penalty(fontSize, limit))
    guard candidates.choose(parameters, mergesPlaces: true) else {
      GreedyLineBreaker.breakLines(paragraph, limit: limit, maxLines: .max, into: &breaks, &decisions)
      return true
    }
    for index in candidates.chosen.values {
      let end = candidates.values[Int(index)]
      let start = candidates.values[Int(end.previous)]
      breaks.append(AndroidBreak(end: end.unit, width: end.after - start.before))
    }
    return true
  }

  /// Returns the penalty of a break in an address, half of that of a line.
  private static func penalty(_ fontSize: Float, _ limit: Float) -> Float { 0.5 * fontSize * limit }

  private mutating func findCandidates(_ paragraph: AndroidParagraph, limit: Float) {
    var run = paragraph.runs.startIndex
    var half = paragraph.runs[run].letterSpacing / 2
    candidates.values.removeAll()
    candidates.values.append(.init(unit: 0, before: half, after: -half))
    var sum: Float = 0
    var width: Float = 0
    var word = (start: 0, sum: Float(0))
    for index in 0..<paragraph.count {
      if index == paragraph.runs[run].end {
        run += 1
        half = paragraph.runs[run].letterSpacing / 2
      }
      if index > 0 && paragraph.opportunities[index].contains(.word) { word = (index, sum) }
      sum += paragraph.advances[index]
      if !AndroidParagraph.hangs(paragraph.units[index]) { width = sum }
      let opportunity = paragraph.opportunities[index + 1]
      guard opportunity.contains(.word) else { continue }
      if width - word.sum > limit { addInside(word.start..<index + 1, word.sum, half, paragraph) }
      candidates.values.append(
        .init(
          unit: Int32(truncatingIfNeeded: index + 1), before: sum + half, after: width - half,
          penalty: opportunity.contains(.address) ? Self.penalty(paragraph.runs[run].fontSize, limit) : 0))
    }
  }

  /// Adds the places between the clusters of a word that is too long. Where ICU breaks the word, the places after the last
  /// of its breaks are left out, as minikin leaves them out.
  private mutating func addInside(
    _ word: Range<Int>, _ sumBefore: Float, _ half: Float, _ paragraph: AndroidParagraph
  ) {
    var parts = AndroidWords(
      units: paragraph.units, opportunities: paragraph.opportunities, count: paragraph.count, in: word)
    _ = parts.next()
    let hasParts = parts.current < word.upperBound
    var width = paragraph.advances[word.lowerBound]
    for index in word.dropFirst() where paragraph.advances[index] != 0 {
      let isPart = hasParts && index == parts.current
      let sum = sumBefore + width
      candidates.values.append(
        .init(
          unit: Int32(truncatingIfNeeded: index), before: sum + half, after: sum - half,
          penalty: isPart ? Self.fallback : Self.desperate))
      if isPart {
        _ = parts.next()
        if parts.current >= word.upperBound { break }
      }
      width += paragraph.advances[index]
    }
  }
}
