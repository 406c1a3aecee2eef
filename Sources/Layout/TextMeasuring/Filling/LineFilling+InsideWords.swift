import Buffers

/// Breaking inside words, where a line has no other opportunity (text-rules 11).
extension LineFiller {
  /// Breaks the current word, which is wider than a line, between its clusters, up to the end of the segment at the index
  /// `last`. Each line has at least one cluster. Returns false if no further line is wanted.
  mutating func breakInside(_ state: inout LineFillingState, _ last: Int, _ store: inout TextStore) -> Bool {
    // The hyphen at the end of a line that is filled again because of it has to fit.
    let hyphenated = state.overflow
    let start = state.hasSoftHyphens ? state.start.unit : store.prepared.segments[state.index].start
    state.startLine(ofParagraph: state.startsParagraph)
    return fillWord(&state, .init(start: start, last: hyphenated ?? last, hyphenated: hyphenated), &store)
  }

  /// Fills lines with the rest of a broken word. Returns false if there is none, or no further line is wanted.
  mutating func fillRest(_ state: inout LineFillingState, _ store: inout TextStore) -> Bool {
    while let word = state.restOfWord {
      if fillWord(&state, word, &store) { return true }
    }
    return false
  }

  /// Fills a part of the current line, which a line that ends inside a word ends. Returns false if no text is left or no further
  /// line is wanted.
  mutating func fillPart(_ state: inout LineFillingState, _ store: inout TextStore) -> Bool {
    if let word = state.restOfWord {
      return fillWord(&state, word, &store) || state.restOfWord != nil
    }
    return fillFurther(&state, &store) || state.restOfWord != nil
  }

  /// Fills a line with the clusters of a word that it holds. Returns false if no further line is wanted, or if the line ends inside
  /// the word, whose rest is noted.
  ///
  /// - Parameter open: the pen before the word, if it does not start a line. If no cluster fits, the line ends before the word.
  mutating func fillWord(
    _ state: inout LineFillingState, _ word: LineFillingState.RestOfWord, after open: LinePen? = nil,
    _ store: inout TextStore
  ) -> Bool {
    state.restOfWord = nil
    var word = word
    let before = state.pen
    var count = clustersThatFit(
      &state, from: word.start, word.last, isHyphenated: word.last == word.hyphenated, after: open, &store)
    if count > 0 && count < clusters.count && state.hangsIdeographicSpaces {
      hangIdeographicSpaces(&count, before: store.prepared.segments[word.last].spaceStart, &state, store)
    }
    guard count < clusters.count else { return endWord(word, &state, store.prepared) }
    if count == 0 {
      state.pen = before
      return endLine(&state, before: word.last, &store)
    }
    let lineLength = clusters[count].start - word.start
    word.start = clusters[count].start
    guard finish(&state, end: word.start, store.prepared.metrics.base) else { return false }
    state.startLine()
    // The rest can break elsewhere now that it starts a line (text-rules 7).
    if state.text.rules.traits.contains(.restartsAfterBrokenWords)
      && (state.text.traits.contains(.dictionary)
        || BreakFinder.isHyphen(store.prepared.units[state.text.unitStart + Int(word.start)]))
    {
      recut(&state, from: word.start, after: word.last, lineLength: lineLength, &store)
      return true
    }
    if state.hasSoftHyphens && !word.isNarrowed {
      word.last = Self.lastSegment(containing: word.start, before: word.last, store.prepared)
      word.isNarrowed = true
    }
    state.restOfWord = word
    return false
  }

  /// Adds a word whose last clusters are on the line. Returns false if no further line is wanted.
  private mutating func endWord(
    _ word: LineFillingState.RestOfWord, _ state: inout LineFillingState, _ prepared: borrowing PreparedTexts
  ) -> Bool {
    // The faces of the spaces after the word count for the height of the line.
    state.pen.metrics |= prepared.segments[word.last].metrics
    guard add(&state, state.pen, isBlank: false, word.last, prepared) else { return false }
    if state.hasSoftHyphens && state.pen.isOpen {
      state.start = .init(
        unit: word.start, next: state.index, isRecut: state.isRecut, pen: state.pen, isCluster: clusters.count == 1)
    }
    return true
  }

  /// Returns the index of the segment that holds a unit, or of the last one that continues it. It is at most `last`.
  private static func lastSegment(
    containing unit: Int32, before last: Int, _ prepared: borrowing PreparedTexts
  ) -> Int {
    var index = last
    while index > 0 && prepared.segments[index].start > unit { index -= 1 }
    while prepared.segments[index].traits.contains(.isContinued) { index += 1 }
    return index
  }

  /// Returns the number of clusters from `start` to the end of the segment at the index `last` that a line holds, at
  /// least one if they start the line; it is the count of `clusters` if none is left. Moves the pen over them and the hyphen
  /// that they need.
  private mutating func clustersThatFit(
    _ state: inout LineFillingState, from start: Int32, _ last: Int, isHyphenated: Bool, after open: LinePen?,
    _ store: inout TextStore
  ) -> Int {
    let end = store.prepared.segments[last].spaceStart
    // A line that is filled again to leave room for its hyphen can end inside a word too.
    let limit = state.endsInsideWords ? state.lineLimit : state.openLimit
    if state.hyphenates { hyphenation.findPlaces(start..<end, startsLine: open == nil, state.text, store) }
    var count = clustersThatFit(&state, from: start, to: end, limit, after: open, &store)
    guard state.hasSoftHyphens else { return count }
    if let hyphen = count < clusters.count
      ? store.hyphen(before: clusters[count].start, state)
      : isHyphenated ? store.hyphen(after: last, state) : store.requiredHyphen(after: last, state)
    {
      if !state.fits(hyphen, after: state.pen.width) {
        count = clustersThatFit(&state, from: start, to: end, state.limit(leaving: hyphen), after: open, &store)
      }
      if count > 0, count < clusters.count, let hyphen = store.hyphen(before: clusters[count].start, state) {
        state.pen.width += hyphen
        state.pen.isHyphenated = true
      }
    }
    return count
  }

  /// Returns the number of clusters from `start` to `end` that fit in a width, at least one if they start the line; it is the
  /// count of `clusters` if none is left. Moves the pen over them.
  ///
  /// - Parameter open: the pen before them, if they do not start the line.
  mutating func clustersThatFit(
    _ state: inout LineFillingState, from start: Int32, to end: Int32, _ limit: Double, after open: LinePen? = nil,
    _ store: inout TextStore
  ) -> Int {
    let (text, textScale) = (state.text, state.textScale)
    let trims = store.trimsPunctuation(text)
    // A line has at least one cluster.
    let least = open == nil ? 1 : 0
    var isOverfull = false
    var pen = open ?? LinePen()
    pen.isOpen = true
    defer { state.pen = pen }
    clusters.removeAll()
    var count = 0
    for index in store.itemIndex(at: start, text)..<text.items.first + text.items.count {
      let item = store.prepared.items[index]
      if item.start >= end { break }
      let from = max(item.start, start)
      let to = min(item.end, end)
      guard from < to else { continue }
      if item.startsInline && item.start == from && from > start { pen.startItem() }
      let itemX = pen.x
      let firstOfItem = clusters.count
      // The clusters far beyond the line are not shaped, so that the time that a word takes is proportional to its length.
      var shapedTo = from
      var window: Int32 = 32
      while shapedTo < to {
        let from = shapedTo
        shapedTo = appendClusters(from, length: window, to, item, text, &store)
        window *= 2
        if trims { trimClusters(from, first: start, item, text, store) }
        while count < clusters.count {
          var x = pen.x + clusters[count].advance * textScale + clusters[count].spacing
          if clusters[count].endTrim != 0 {
            state.note(pen.items + x, in: limit)
            if pen.items + x > limit { x = LinePen.trimmed(x, by: clusters[count].endTrim * textScale) }
          }
          if count >= least { state.note(pen.items + x, in: limit) }
          if isOverfull {
            if isOpportunity(before: clusters[count].start, state, store) {
              pen.metrics |= item.metrics
              if state.hyphenates { addHyphen(before: clusters[count].start, to: &pen, state, store) }
              return count
            }
          } else if count >= least && pen.items + x > limit {
            let place = WordEnd(item: item, first: firstOfItem, itemX: itemX, least: least, start: start, end: shapedTo)
            if state.endsInsideWords, let end = wordEnd(atMost: count, place, open, &state, limit, &pen, &store) {
              return end
            }
            isOverfull = text.traits.contains(.overflowing)
            if !isOverfull {
              if !text.rules.traits.contains(.keepsShapesOfWords) {
                count = reshapedCount(count, place, &state, limit, &pen, &store)
              }
              if count > firstOfItem {
                let kept = Int(clusters[firstOfItem].start)..<Int(clusters[count].start)
                pen.metrics |= store.lineMetricsOfCharacters(in: kept, item, text)
              }
              return count
            }
          }
          pen.x = x
          pen.width = pen.position
          count += 1
        }
      }
      pen.metrics |= store.lineMetricsOfCharacters(in: Int(from)..<Int(to), item, text)
    }
    return count
  }

  /// Returns the number of clusters that fit when the end of the line is shaped again, and moves the pen over them. The end
  /// of a line can be wider than it was inside the word (text-rules 10).
  ///
  /// - Parameter candidate: the number of clusters that fit before shaping them again.
  private mutating func reshapedCount(
    _ candidate: Int, _ place: WordEnd, _ state: inout LineFillingState, _ limit: Double, _ pen: inout LinePen,
    _ store: inout TextStore
  ) -> Int {
    var count = candidate
    var tries = 0
    while count > place.first {
      pen.x = endX(of: count, place, state, &store)
      pen.width = pen.position
      if count == 1 { break }
      state.note(pen.position, in: limit)
      if pen.position <= limit { break }
      if count == candidate, let kept = overfullCount(count, place, &state, limit, &pen, &store) { return kept }
      // Nearly always one cluster more or less decides. Thousands of clusters without a width are removed faster.
      tries += 1
      count -= tries < Self.maxSingleTries ? 1 : min(1 << (tries - Self.maxSingleTries), count - place.first)
    }
    if count == place.first {
      // None of the item's clusters fits, but a line has at least one.
      pen.x = count > 0 ? place.itemX : endX(of: 1, place, state, &store)
      pen.width = pen.position
    }
    return max(count, 1)
  }

  /// The number of clusters that are removed one after the other from a line that is too wide.
  private static let maxSingleTries = 16
}
