import Buffers

/// The choice of the ends of lines that CSS `text-wrap: balance` and `pretty` make among all opportunities of a paragraph
/// (text-rules 55): the lines together have the least score.
struct LineOptimizer: ~Copyable {
  /// A place at which a word can be hyphenated.
  struct Hyphen: BitwiseCopyable {
    /// The place, whose segment is the one with which the word or what is left of it begins.
    var place: LinePlace
    /// The width of the word up to the place, and that of the hyphen, in points.
    var width, hyphen: Double
  }

  /// The most lines of a paragraph that is balanced, and the number of last lines that `pretty` changes. Chromium:
  /// `kMaxLinesForBalance`, `kMaxLinesForOptimal`.
  static let maxBalancedLines = 6
  static let maxPrettyLines = 4

  /// The ends of the lines that were chosen.
  var lineEnds = FlatBuffer<LinePlace>(capacity: 8)
  /// The places at which words can be hyphenated, in the order of the text.
  var hyphens = FlatBuffer<Hyphen>(capacity: 16)
  private var candidates = BreakCandidates()

  /// With fewer places than these, the first one and the last one included, there is nothing to choose.
  private static let minCandidates = 5
  /// With more places, which lines of common widths do not have, the time to choose among all pairs would be long.
  private static let maxCandidates = BreakCandidates.maxStarts
  private static let orphanPenalty: Float = 10_000

  /// Chooses the ends of a number of lines, which is that of the lines as full as possible. Returns false if others are not to
  /// be chosen.
  ///
  /// - Parameters:
  ///   - first: the start of the lines.
  ///   - firstWidth: the width of what is left of the segment with which they start.
  ///   - last: their end.
  mutating func choose(
    _ count: Int, from first: LinePlace, firstWidth: Double, to last: LinePlace,
    _ parameters: BreakCandidates.Parameters, _ state: LineFillingState, _ store: borrowing TextStore
  ) -> Bool {
    findCandidates(first, firstWidth, last, parameters, state, store)
    guard (Self.minCandidates...Self.maxCandidates).contains(candidates.values.count) else { return false }
    // The last line should not be a single word.
    var last = candidates.values.count - 2
    while last >= 0 {
      candidates.values.base[last].penalty += Self.orphanPenalty
      guard candidates.values[last].isHyphenated else { break }
      last -= 1
    }
    guard candidates.choose(parameters, mergesPlaces: false), candidates.chosen.count == count else { return false }
    for index in candidates.chosen.values {
      let end = candidates.values[Int(index)]
      lineEnds.append(LinePlace(segment: Int(end.segment), unit: end.unit))
    }
    return true
  }

  private mutating func findCandidates(
    _ first: LinePlace, _ firstWidth: Double, _ last: LinePlace, _ parameters: BreakCandidates.Parameters,
    _ state: LineFillingState, _ store: borrowing TextStore
  ) {
    candidates.values.removeAll()
    candidates.values.append(.init(first, before: 0, after: 0))
    var (position, end, hyphen) = (0.0, 0.0, 0)
    for index in first.segment..<last.segment {
      let segment = store.prepared.segments[index]
      if index > first.segment { position += segment.joining * state.textScale }
      while hyphen < hyphens.count && hyphens[hyphen].place.segment == index {
        let width = position + hyphens[hyphen].width
        var candidate = BreakCandidates.Candidate(
          hyphens[hyphen].place, before: width, after: width + hyphens[hyphen].hyphen)
        candidate.penalty = parameters.linePenalty / 2
        candidate.isHyphenated = true
        candidates.values.append(candidate)
        hyphen += 1
      }
      position += index > first.segment ? segment.advance * state.textScale + segment.advanceSpacing : firstWidth
      if !segment.isBlank { end = position }
      position += segment.space * state.textScale + segment.spaceSpacing
      guard index + 1 < last.segment else { break }
      if store.prepared.segments[index + 1].traits.contains(.continues) { continue }
      let place = LinePlace(segment: index + 1, unit: store.prepared.segments[index + 1].start)
      var candidate = BreakCandidates.Candidate(place, before: position, after: end)
      if let hyphen = store.hyphen(after: index, state) {
        candidate.after += Float(hyphen)
        candidate.penalty = parameters.linePenalty / 2
        candidate.isHyphenated = true
      }
      // Of spaces in several segments only the end of the last one counts.
      let count = candidates.values.count
      if segment.isBlank && count > 1 && candidates.values[count - 1].unit == segment.start {
        candidates.values.truncate(to: count - 1)
      }
      candidates.values.append(candidate)
    }
    candidates.values.append(.init(last, before: end, after: end))
  }
}

extension BreakCandidates.Candidate {
  /// A place in a text that is cut into segments, with widths in points.
  fileprivate init(_ place: LinePlace, before: Double, after: Double) {
    self.init(
      unit: place.unit, segment: Int32(truncatingIfNeeded: place.segment), before: Float(before), after: Float(after))
  }
}
