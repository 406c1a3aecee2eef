import Buffers

/// The choice of lines that together have the least unused space. Source: minikin's `OptimalLineBreaker`.
struct OptimalLineBreaker: ~Copyable {
  /// A place at which a line can end.
  struct Candidate: BitwiseCopyable {
    var offset: Int32
    /// The width of the text up to it, with the spaces before it.
    var before: Float
    /// The width of the text up to it, without the spaces before it.
    var after: Float
    var penalty: Float
    /// The best score of the lines up to it.
    var score: Float = 0
    /// The index of the candidate at which the last of those lines starts.
    var previous: Int32 = 0
  }

  private var candidates = FlatBuffer<Candidate>(capacity: 64)
  /// The indices of the candidates at which a line that ends later can start with the least score.
  private var starts = FlatBuffer<Int32>(capacity: 64)
  private var chosen = FlatBuffer<Int32>(capacity: 16)

  /// The most places at which a line can start that are compared for its end. No screen shows lines of so many characters.
  private static let maxStarts = 4096
  private static let overfull: Float = 1e12
  /// The penalty of a break inside of a word.
  private static let desperate: Float = 1e10
  /// The penalty of a break inside of a part of an address, where ICU breaks lines.
  private static let fallback: Float = 1e6
  /// The factor of the penalty of a break before the last line.
  private static let lastLineFactor: Float = 4

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
    let whole = candidates[candidates.count - 1]
    let width = whole.after - candidates[0].before
    decisions.note(Double(width), fits: width <= limit)
    if width <= limit {
      // A second line has unused space and a penalty in any case.
      breaks.append(AndroidBreak(end: whole.offset, width: width))
      return false
    }
    var fontSize: Float = 0
    for run in paragraph.runs { fontSize = max(fontSize, run.fontSize) }
    guard score(limit: limit, linePenalty: 2 * Self.penalty(fontSize, limit), balanced: balanced) else {
      GreedyLineBreaker.breakLines(paragraph, limit: limit, maxLines: .max, into: &breaks, &decisions)
      return true
    }
    chosen.removeAll()
    var index = Int32(candidates.count - 1)
    while index > 0 {
      chosen.append(index)
      index = candidates[Int(index)].previous
    }
    for index in chosen.values.reversed() {
      let candidate = candidates[Int(index)]
      breaks.append(
        AndroidBreak(
          end: candidate.offset, width: candidate.after - candidates[Int(candidate.previous)].before))
    }
    return true
  }

  /// Returns the penalty of a break in an address, half of that of a line.
  private static func penalty(_ fontSize: Float, _ limit: Float) -> Float { 0.5 * fontSize * limit }

  private mutating func findCandidates(_ paragraph: AndroidParagraph, limit: Float) {
    var run = paragraph.runs.startIndex
    var half = paragraph.runs[run].letterSpacing / 2
    candidates.removeAll()
    candidates.append(Candidate(offset: 0, before: half, after: -half, penalty: 0))
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
      candidates.append(
        Candidate(
          offset: Int32(truncatingIfNeeded: index + 1), before: sum + half, after: width - half,
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
      candidates.append(
        Candidate(
          offset: Int32(truncatingIfNeeded: index), before: sum + half, after: sum - half,
          penalty: isPart ? Self.fallback : Self.desperate))
      if isPart {
        _ = parts.next()
        if parts.current >= word.upperBound { break }
      }
      width += paragraph.advances[index]
    }
  }

  /// Finds the lines up to each candidate that have the least score. Returns false if a line has so many candidates that this
  /// takes too long.
  private mutating func score(limit: Float, linePenalty: Float, balanced: Bool) -> Bool {
    let base = candidates.base
    let last = candidates.count - 1
    starts.removeAll()
    starts.append(0)
    var active = 0
    for end in 1..<max(candidates.count, 1) {
      var best = Float.greatestFiniteMagnitude
      var bestStart: Int32 = 0
      let leftEdge = base[end].after - limit
      var hope: Float = 0
      for index in active..<starts.count {
        let start = starts[index]
        let candidate = base + Int(start)
        if candidate.pointee.score + hope >= best { continue }
        let slack = candidate.pointee.before - leftEdge
        var cost: Float = 0
        var extra: Float = 0
        if slack < 0 {
          cost = Self.overfull
          active = index + 1
        } else if end == last && !balanced {
          extra = Self.lastLineFactor * candidate.pointee.penalty
          hope = cost
        } else {
          cost = slack * slack
          hope = cost
        }
        let score = candidate.pointee.score + cost + extra
        if score <= best { (best, bestStart) = (score, start) }
      }
      base[end].score = best + base[end].penalty + linePenalty
      base[end].previous = bestStart
      append(end, from: active)
      if starts.count - active > Self.maxStarts { return false }
    }
    return true
  }

  /// Appends a candidate to those at which lines start. Of several at one place, which characters without a width make, the first of
  /// the best and the last one remain: an overfull line prefers the last of equal ones.
  private mutating func append(_ candidate: Int, from active: Int) {
    let new = candidates[candidate]
    func isThere(_ number: Int) -> Bool {
      guard starts.count - number >= active else { return false }
      let start = candidates[Int(starts[starts.count - number])]
      return start.before == new.before && start.penalty == new.penalty
    }
    if isThere(1), isThere(2) || new.score < candidates[Int(starts[starts.count - 1])].score {
      starts.truncate(to: starts.count - 1)
    }
    starts.append(Int32(truncatingIfNeeded: candidate))
  }
}
