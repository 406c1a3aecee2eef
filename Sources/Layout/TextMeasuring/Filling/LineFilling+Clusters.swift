import Buffers

/// The clusters of a word that is broken inside.
extension LineFiller {
  /// The most units by which a stretch of clusters is extended so that it does not end inside a grapheme cluster, which
  /// can have any number of characters.
  private static let maxExtension: Int32 = 32
  /// The units behind a stretch that are shaped with it where clusters keep the shapes that they have in the word.
  private static let unitsBehind: Int32 = 8

  /// Returns the first unit from `unit` on, or `end`, before which no grapheme cluster is cut.
  private static func clusterEnd(
    _ unit: Int32, _ end: Int32, _ text: PreparedText, _ store: inout TextStore
  ) -> Int32 {
    var unit = unit
    while unit < end && store.isInsideGrapheme(text.unitStart + Int(unit)) { unit += 1 }
    return unit
  }

  /// Appends the clusters of an item from `start` on, and returns their end, which is at most `limit`. Ligatures of
  /// left-to-right text can be cut, in equal parts, but not in Firefox.
  ///
  /// - Parameter length: the number of units from which the end is searched.
  mutating func appendClusters(
    _ start: Int32, length: Int32, _ limit: Int32, _ item: Item, _ text: PreparedText, _ store: inout TextStore
  ) -> Int32 {
    if let attachment = item.style.attachment {
      clusters.append(Cluster(advance: attachment.width, spacing: 0, start: start))
      return limit
    }
    let scale = item.scale
    let units = store.prepared.units.base + text.unitStart
    // The end of a word is shaped with the space after it, as in `SegmentCutter`.
    let takesSpace = limit < item.end && units[Int(limit)] == 0x20 && !item.leavesSpaces
    let keepsShapes = text.rules.traits.contains(.keepsShapesOfWords)
    var length = length
    var end = start
    while true {
      let tried = min(limit - start, length) + start
      end = Self.clusterEnd(tried, min(limit, tried + Self.maxExtension), text, &store)
      if end < limit { end = store.startOfCharacter(at: end, text) }
      shaped.removeAll()
      let further = keepsShapes ? min(limit, end + Self.unitsBehind) : end
      let shapedEnd = end == limit && takesSpace ? end + 1 : further
      store.shaper.shapeClusters(
        Int(start)..<Int(shapedEnd), in: units, text.unitCount, item.context, into: &shaped)
      if end < further {
        let kept = shaped.values.firstIndex { $0.start >= end } ?? shaped.count
        end = kept < shaped.count ? shaped[kept].start : further
        shaped.truncate(to: kept)
      }
      if shaped.count > 1 && shaped[shaped.count - 1].start == limit { shaped.truncate(to: shaped.count - 1) }
      guard end < limit && store.isInsideGrapheme(text.unitStart + Int(end)) else { break }
      // The last cluster may be incomplete.
      if shaped.count > 1 {
        end = shaped[shaped.count - 1].start
        shaped.truncate(to: shaped.count - 1)
        break
      }
      length = 2 * (end - start)
    }
    let (spacing, isCursive) = (item.style.letterSpacing, isCursive(item.context.script))
    for index in 0..<shaped.count {
      let from = Int(shaped[index].start)
      let unit = store.prepared.units[text.unitStart + from]
      let isSpaced = isCursive ? unit == 0xa0 : Self.takesSpacing(unit, advance: shaped[index].advance)
      if index > 0 && store.isInsideGrapheme(text.unitStart + from) {
        // A font can have several clusters for the consonants of a grapheme cluster, each with its letter spacing.
        clusters.base[clusters.count - 1].advance += Double(shaped[index].advance) * scale
        clusters.base[clusters.count - 1].spacing += isSpaced ? spacing : 0
        continue
      }
      let to = index + 1 < shaped.count ? Int(shaped[index + 1].start) : Int(end)
      var parts = 1
      if !keepsShapes {
        for unit in from + 1..<max(to, from + 1) where !store.isInsideGrapheme(text.unitStart + unit) {
          parts += 1
        }
      }
      let advance = Double(shaped[index].advance) * scale / Double(parts)
      clusters.append(Cluster(advance: advance, spacing: isSpaced ? spacing : 0, start: Int32(from)))
      if parts > 1 {
        for unit in from + 1..<to where !store.isInsideGrapheme(text.unitStart + unit) {
          clusters.append(Cluster(advance: advance, spacing: isCursive ? 0 : spacing, start: Int32(unit)))
        }
      }
    }
    return end
  }

  /// Subtracts the trimmed halves of the punctuation from the clusters that start at the unit `start` or after it.
  ///
  /// - Parameter first: the unit that starts the line or the word. An opening mark there keeps its width or is narrower already,
  ///   because the kerning of the word with what precedes it contains the half.
  mutating func trimClusters(
    _ start: Int32, first: Int32, _ item: Item, _ text: PreparedText, _ store: borrowing TextStore
  ) {
    guard let half = store.trimmedWidth(item) else { return }
    var index = clusters.count
    while index > 0 && clusters[index - 1].start >= start {
      index -= 1
      switch store.trimming(at: Int(clusters[index].start), item, text) {
      case .opening where clusters[index].start == first: break
      case .opening, .closing:
        clusters.base[index].trim = half
        clusters.base[index].advance -= half
      case .atEnd: clusters.base[index].endTrim = half
      case nil: break
      }
    }
  }

  /// Returns whether letter spacing is added to a cluster that starts with a unit.
  private static func takesSpacing(_ unit: UInt16, advance: Int) -> Bool {
    unit == ControlCharacters.hidden || (advance > 0 && !LetterSpacing.isZeroWidth(UInt32(unit)))
  }
}
