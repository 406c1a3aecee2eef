import Buffers

/// Cutting the rest of a broken word again, as it can break elsewhere now that it starts a line (text-rules 7).
///
/// The rest of a long word is cut a part at a time while lines are filled, so that the time that a word takes is
/// proportional to its length.
extension LineFiller {
  /// The least number of units that are cut again after a broken word: more than a line holds, so that the units after
  /// them hardly matter.
  private static let recutLength: Int32 = 256

  /// Cuts the rest of a broken word and the text after it into segments again.
  ///
  /// - Parameters:
  ///   - last: the index of the last segment of the word.
  ///   - lineLength: the number of units of the line that ends at `start`.
  mutating func recut(
    _ state: inout LineFillingState, from start: Int32, after last: Int, lineLength: Int32, _ store: inout TextStore
  ) {
    let text = state.text
    let end = text.segments.first + text.segments.count
    // The segment with which the text continues, also after segments that were cut again themselves.
    var next = last < end ? last + 1 : state.afterRecut
    while next < end
      && (store.prepared.segments[next].start < start + Self.recutLength
        || store.prepared.segments[next].traits.contains(.continues))
    {
      next += 1
    }
    let recutEnd = next < end ? Int(store.prepared.segments[next].start) : text.unitCount
    // The segments that were cut again before are filled already.
    store.prepared.segments.truncate(to: keptSegments)
    state.enter(recut: keptSegments, before: next)
    state.uncut = Int(start)..<recutEnd
    state.partLength = Int(min(max(lineLength, 1) * Self.unitsPerLineUnit, Self.recutLength))
    cutFurther(&state, &store)
  }

  /// The number of units that a part has for each unit of a line.
  private static let unitsPerLineUnit: Int32 = 32

  /// The number of units from which on a part can end inside a word: characters without a width can be as long a word.
  private static let maxPartLength = 2048

  /// Cuts the next part of the text that is to be cut again into segments.
  mutating func cutFurther(_ state: inout LineFillingState, _ store: inout TextStore) {
    let first = store.prepared.segments.count
    var length = state.partLength
    while true {
      let (start, upper) = (state.uncut.lowerBound, state.uncut.upperBound)
      let isLastPart = upper - start <= 2 * length
      let middle = Int32(truncatingIfNeeded: start + length)
      let end = isLastPart ? upper : Int(store.startOfCharacter(at: middle, state.text))
      cutter.cut(state.text, start..<end, continuesLine: state.pen.isOpen, &store)
      if isLastPart {
        state.uncut = upper..<upper
        break
      }
      let kept = Self.segmentsInside(first, before: end - length / 4, store.prepared)
      if kept > first {
        store.prepared.segments.truncate(to: kept)
        state.uncut = Int(store.prepared.segments[kept - 1].end)..<upper
        break
      }
      // The word is longer than the part. That suffices if the word is broken before the end of the part.
      let width = Self.width(from: first, state.textScale, store.prepared)
      state.note(width, in: state.openLimit)
      if length >= Self.maxPartLength || width > state.openLimit {
        state.uncut = end..<upper
        break
      }
      store.prepared.segments.truncate(to: first)
      length *= 2
    }
    state.end = store.prepared.segments.count
  }

  /// Returns the index after the last segment from the index `first` on that ends a word and does not reach beyond a unit:
  /// the end of a part changes the breaks close to it.
  private static func segmentsInside(_ first: Int, before unit: Int, _ prepared: borrowing PreparedTexts) -> Int {
    var index = prepared.segments.count
    while index > first
      && (Int(prepared.segments[index - 1].end) > unit || prepared.segments[index - 1].traits.contains(.isContinued))
    {
      index -= 1
    }
    return index
  }

  /// Returns the width in points of the segments from an index on.
  private static func width(from first: Int, _ textScale: Double, _ prepared: borrowing PreparedTexts) -> Double {
    prepared.segments.values[first...].reduce(0) { $0 + $1.advance * textScale + $1.advanceSpacing }
  }
}
