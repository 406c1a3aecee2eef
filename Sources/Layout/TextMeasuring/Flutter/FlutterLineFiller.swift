import Buffers

/// The choice of a text's lines from its clusters. Source: SkParagraph's `TextWrapper::lookAhead`.
struct FlutterLineFiller {
  /// A line.
  struct Line {
    /// The index of its first cluster.
    var start: Int
    /// The index after its last cluster without the spaces that hang.
    var shownEnd: Int
    /// The index of the first cluster of the next line.
    var next: Int
    /// The width without the spaces that hang, in points.
    var width: Float
    /// The width of `metricClusters`, in points.
    var filledWidth: Float
    /// The clusters whose fonts determine its height, with the spaces that it was filled with.
    var metricClusters: Range<Int>
    /// Whether it ends with a hard break.
    var isHard: Bool
  }

  let clusters: UnsafeBufferPointer<FlutterCluster>
  let limit: Float
  /// The index of the first cluster of the next line.
  private(set) var start = 0
  /// Whether the last line ended with a hard break.
  private(set) var endedHard = false
  /// The widths that were compared with `limit`.
  private(set) var decisions = WidthDecisions()

  /// A sequence of clusters.
  private struct Stretch {
    var range: Range<Int>
    var width: Float = 0

    mutating func extend(_ cluster: Int, _ width: Float) {
      range = range.lowerBound..<cluster + 1
      self.width += width
    }

    mutating func extend(_ other: inout Stretch) {
      range = range.lowerBound..<max(range.upperBound, other.range.upperBound)
      width += other.width
      other = Stretch(range: other.range.upperBound..<other.range.upperBound)
    }
  }

  /// Returns the next line, or nil at the end of the text.
  ///
  /// - Parameters:
  ///   - isLast: whether it is the last line that is shown.
  ///   - hasEllipsis: whether a line that is cut ends with an ellipsis.
  mutating func next(isLast: Bool, hasEllipsis: Bool) -> Line? {
    guard start < clusters.count else { return nil }
    let found = lookAhead()
    var line = Stretch(range: start..<start)
    var (words, rest) = (found.words, found.rest)
    if !words.range.isEmpty { line.extend(&words) }
    let fillsByCluster = isLast && hasEllipsis && !found.isHard
    if (line.range.isEmpty || found.isTooLongWord || fillsByCluster) && !rest.range.isEmpty { line.extend(&rest) }
    let filled = max(line.range.upperBound, start + 1)
    var shownEnd = filled
    var width = line.width
    while shownEnd > start && clusters[shownEnd - 1].traits.contains(.whiteSpace) {
      shownEnd -= 1
      width -= clusters[shownEnd].width
    }
    var next = filled
    if !found.isHard {
      // SkParagraph takes newlines for such spaces, too.
      while next < clusters.count && clusters[next].traits.contains(.whiteSpace) { next += 1 }
    }
    let result = Line(
      start: start, shownEnd: shownEnd, next: next, width: width, filledWidth: line.width,
      metricClusters: start..<filled, isHard: found.isHard)
    start = next
    endedHard = found.isHard
    return result
  }

  private struct Found {
    var words: Stretch
    var rest: Stretch
    var isTooLongWord = false
    var isHard = false
  }

  /// Finds the words that fit, and the clusters of the word after them.
  private mutating func lookAhead() -> Found {
    var found = Found(words: Stretch(range: start..<start), rest: Stretch(range: start..<start))
    for index in start..<clusters.count {
      let cluster = clusters[index]
      let width = found.words.width + found.rest.width + cluster.width
      // A space after which a line can end is on the line whether it fits or not.
      let isIndifferent = cluster.traits.isSuperset(of: [.whiteSpace, .softBreak])
      if !cluster.traits.contains(.hardBreak), isIndifferent ? isWider(width) : exceeds(width) {
        if cluster.traits.contains(.whiteSpace) {
          found.rest.extend(index, cluster.width)
          found.words.extend(&found.rest)
          continue
        }
        endLine(at: index, &found)
        break
      }
      found.rest.extend(index, cluster.width)
      if !cluster.traits.isDisjoint(with: [.softBreak, .hardBreak]) { found.words.extend(&found.rest) }
      if cluster.traits.contains(.hardBreak) {
        found.isHard = true
        break
      }
    }
    return found
  }

  /// Decides what of the word that does not fit is on the line.
  private mutating func endLine(at index: Int, _ found: inout Found) {
    var word = found.rest.width
    // The place of the last space inside of the word up to which the word is not wider than a line.
    var space: (index: Int, width: Float)?
    for further in index..<clusters.count {
      let cluster = clusters[further]
      if !cluster.traits.isDisjoint(with: [.softBreak, .hardBreak, .whiteSpace]) { break }
      if word > 0 && cluster.traits.contains(.anySpace) && fits(word) { space = (further, word) }
      if limit == 0 { word = max(word, cluster.width) } else { word += cluster.width }
      // What follows does not change the result: a bound for words of any length.
      if word > limit { break }
    }
    if !fits(word) {
      if let space {
        if exceeds(found.words.width + space.width) {
          found.rest = Stretch(range: found.rest.range.lowerBound..<found.rest.range.lowerBound)
        } else {
          // The space hangs at the end of the line.
          found.rest = Stretch(range: found.rest.range.lowerBound..<space.index + 1, width: space.width)
          found.words.extend(&found.rest)
        }
        return
      }
      if startsWord(found.rest.range) || found.words.range.isEmpty { found.isTooLongWord = true }
    }
    if !fits(clusters[index].width) {
      found.rest.extend(index, clusters[index].width)
      found.isTooLongWord = true
    } else if found.words.range.isEmpty && found.rest.range.isEmpty {
      found.rest.extend(index, clusters[index].width)
      found.isTooLongWord = true
    }
  }

  /// Returns whether the clusters of a word that fit are enough to break the word after them: more than one glyph.
  /// SkParagraph subtracts the number of the first glyph in its item from that after the last one in its own item, without a
  /// sign, so that a negative difference is enough, too.
  private func startsWord(_ range: Range<Int>) -> Bool {
    guard let first = range.first, let last = range.last else { return false }
    let glyphs = clusters[last].firstGlyph + clusters[last].glyphs - clusters[first].firstGlyph
    return glyphs > 1 || glyphs < 0
  }

  /// Returns whether a width is at most that of a line.
  private mutating func fits(_ width: Float) -> Bool {
    decisions.note(Double(width), fits: width <= limit)
    return width <= limit
  }

  /// Returns whether a width is more than the line has, and notes the comparison. A width counts in hundredths of a point
  /// that are rounded down.
  private mutating func exceeds(_ width: Float) -> Bool {
    let isWider = isWider(width)
    decisions.note(Double((width * 100).rounded(.down) / 100), fits: !isWider)
    return isWider
  }

  /// Returns whether a width is more than the line has.
  private func isWider(_ width: Float) -> Bool {
    if width < limit - 0.25 { return false }
    if width > limit + 0.25 { return true }
    return (width * 100).rounded(.down) / 100 > limit
  }

  /// The changes of the width that leave the lines as they are.
  var margins: TextMargins {
    // The width of a box is rounded to 32 bits.
    let room = Double(limit)
    let narrower = room - decisions.fitting - Double(limit.ulp)
    guard decisions.exceeding < .infinity else { return TextMargins(narrower: narrower, wider: .infinity) }
    return TextMargins(narrower: narrower, wider: Double(Float(decisions.exceeding).nextDown) - room)
  }
}
