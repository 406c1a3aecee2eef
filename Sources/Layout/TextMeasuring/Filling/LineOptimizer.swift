import Buffers

/// The choice of the ends of lines that CSS `text-wrap: balance` and `pretty` make among all opportunities of a paragraph
/// (text-rules 55): the lines together have the least score.
///
/// Numbers are of 32 bits as in Chromium, so that of two choices with nearly the same score the same one is taken.
struct LineOptimizer: ~Copyable {
  /// A place at which a line can end. This type and the next one are not private, because the compiler of Swift 6.3 ends with an
  /// error for a private type in a buffer of a value that another file makes.
  struct Candidate: BitwiseCopyable {
    /// The start of the next line.
    var place: LinePlace
    /// The position of the next character if no line ends here, in points.
    var noBreak: Float
    /// The width up to here if a line ends here, without hanging spaces and with the hyphen, in points.
    var ifBreak: Float
    var penalty: Float = 0
    var isHyphenated = false
  }

  /// A place at which a word can be hyphenated.
  struct Hyphen: BitwiseCopyable {
    /// The place, whose segment is the one with which the word or what is left of it begins.
    var place: LinePlace
    /// The width of the word up to the place, and that of the hyphen, in points.
    var width, hyphen: Double
  }

  /// The least score of lines up to a candidate.
  struct Score: BitwiseCopyable {
    var score: Float = 0
    /// The candidate before which the last line begins.
    var previous = 0
  }

  /// What the score of lines depends on.
  struct Parameters {
    /// Whether the last line counts like the others, as with `balance`.
    var isBalanced: Bool
    /// The widths of the widest first line and of the widest other lines, in points.
    var firstLimit: Float
    var limit: Float
    /// The score of a line beside its unused width, and twice that of a hyphen.
    var linePenalty: Float
  }

  /// The most lines of a paragraph that is balanced, and the number of last lines that `pretty` changes. Chromium:
  /// `kMaxLinesForBalance`, `kMaxLinesForOptimal`.
  static let maxBalancedLines = 6
  static let maxPrettyLines = 4

  /// The ends of the lines that were chosen.
  var lineEnds = FlatBuffer<LinePlace>(capacity: 8)
  /// The places at which words can be hyphenated, in the order of the text.
  var hyphens = FlatBuffer<Hyphen>(capacity: 16)
  private var candidates = FlatBuffer<Candidate>(capacity: 64)
  private var scores = FlatBuffer<Score>(capacity: 64)

  /// With fewer places than these, the first one and the last one included, there is nothing to choose.
  private static let minCandidates = 5
  /// With more places, which lines of common widths do not have, the time to choose among all pairs would be long.
  private static let maxCandidates = 4096
  private static let orphanPenalty: Float = 10_000
  private static let overfullScore: Float = 1e12
  private static let lastLinePenaltyFactor: Float = 4

  /// Chooses the ends of a number of lines, which is that of the lines as full as possible. Returns false if others are not to
  /// be chosen.
  ///
  /// - Parameters:
  ///   - first: the start of the lines.
  ///   - firstWidth: the width of what is left of the segment with which they start.
  ///   - last: their end.
  mutating func choose(
    _ count: Int, from first: LinePlace, firstWidth: Double, to last: LinePlace, _ parameters: Parameters,
    _ state: LineFillingState,
    _ store: borrowing TextStore
  ) -> Bool {
    findCandidates(first, firstWidth, last, parameters, state, store)
    guard (Self.minCandidates...Self.maxCandidates).contains(candidates.count) else { return false }
    // The last line should not be a single word.
    var last = candidates.count - 2
    while last >= 0 {
      candidates.base[last].penalty += Self.orphanPenalty
      guard candidates[last].isHyphenated else { break }
      last -= 1
    }
    score(parameters)
    let before = lineEnds.count
    var index = candidates.count - 1
    while index > 0 {
      lineEnds.append(candidates[index].place)
      index = scores[index].previous
    }
    guard lineEnds.count - before == count else {
      lineEnds.truncate(to: before)
      return false
    }
    var ends = UnsafeMutableBufferPointer(start: lineEnds.base + before, count: count)
    ends.reverse()
    return true
  }

  private mutating func findCandidates(
    _ first: LinePlace, _ firstWidth: Double, _ last: LinePlace, _ parameters: Parameters, _ state: LineFillingState,
    _ store: borrowing TextStore
  ) {
    candidates.removeAll()
    candidates.append(Candidate(place: first, noBreak: 0, ifBreak: 0))
    var (position, end, hyphen) = (0.0, 0.0, 0)
    for index in first.segment..<last.segment {
      let segment = store.prepared.segments[index]
      if index > first.segment { position += segment.joining * state.textScale }
      while hyphen < hyphens.count && hyphens[hyphen].place.segment == index {
        let width = position + hyphens[hyphen].width
        var candidate = Candidate(
          place: hyphens[hyphen].place, noBreak: Float(width), ifBreak: Float(width + hyphens[hyphen].hyphen))
        candidate.penalty = parameters.linePenalty / 2
        candidate.isHyphenated = true
        candidates.append(candidate)
        hyphen += 1
      }
      position += index > first.segment ? segment.advance * state.textScale + segment.advanceSpacing : firstWidth
      if !segment.isBlank { end = position }
      position += segment.space * state.textScale + segment.spaceSpacing
      guard index + 1 < last.segment else { break }
      if store.prepared.segments[index + 1].traits.contains(.continues) { continue }
      let place = LinePlace(segment: index + 1, unit: store.prepared.segments[index + 1].start)
      var candidate = Candidate(place: place, noBreak: Float(position), ifBreak: Float(end))
      if let hyphen = store.hyphen(after: index, state) {
        candidate.ifBreak += Float(hyphen)
        candidate.penalty = parameters.linePenalty / 2
        candidate.isHyphenated = true
      }
      // Of spaces in several segments only the end of the last one counts.
      if segment.isBlank && candidates.count > 1 && candidates[candidates.count - 1].place.unit == segment.start {
        candidates.truncate(to: candidates.count - 1)
      }
      candidates.append(candidate)
    }
    candidates.append(Candidate(place: last, noBreak: Float(end), ifBreak: Float(end)))
  }

  /// Finds the least score up to each candidate.
  private mutating func score(_ parameters: Parameters) {
    scores.removeAll()
    scores.append(Score())
    var active = 0
    for end in 1..<candidates.count {
      let isLast = end == candidates.count - 1
      var (best, bestStart, hope) = (Float.greatestFiniteMagnitude, 0, Float(0))
      for start in active..<end {
        let limit = start == 0 ? parameters.firstLimit : parameters.limit
        if start == 1 && limit != parameters.firstLimit { hope = 0 }
        if scores[start].score + hope >= best { continue }
        let unused = candidates[start].noBreak - (candidates[end].ifBreak - limit)
        var score = scores[start].score
        if unused < 0 {
          score += Self.overfullScore
          active = start + 1
        } else if isLast && !parameters.isBalanced {
          score += Self.lastLinePenaltyFactor * candidates[start].penalty
          hope = 0
        } else {
          score += unused * unused
          hope = unused * unused
        }
        if score <= best { (best, bestStart) = (score, start) }
      }
      scores.append(Score(score: best + candidates[end].penalty + parameters.linePenalty, previous: bestStart))
    }
  }
}
