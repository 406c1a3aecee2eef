import Buffers

/// The segments of one ideograph or kana, which nearly all segments of Chinese and Japanese texts are.
extension SegmentCutter {
  /// Appends the segment of the unit at an offset. Returns false, and appends nothing, if the unit is none of these, or if its advance
  /// is not known yet.
  @inline(__always)
  mutating func appendIdeograph(
    _ start: Int, _ text: PreparedText, _ cursor: inout Cursor, startsText: Bool, _ store: inout TextStore
  ) -> Bool {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart)
    guard Ideographs.contains(units[start]) else { return false }
    let item = UnsafePointer(store.prepared.items.base + cursor.item(at: start, store.prepared))
    guard item.pointee.style.letterSpacing == 0, item.pointee.style.attachment == nil,
      let advance = cursor.ideographs(&store)?[Ideographs.number(of: units[start])],
      // A piece is measured with the space after it.
      start + 1 == item.pointee.end || units[start + 1] != 0x20
    else { return false }
    var segment = Segment(start, spaceStart: start + 1, end: start + 1, metrics: item.pointee.metrics)
    segment.advance = Double(advance) * item.pointee.scale
    if Self.startsItem(start, item, units, text) { segment.traits.insert(.startsItem) }
    if !startsText && Shaper.canKern(units[start]) {
      join(&segment, start..<start + 1, units, item, cursor.pairs(store), text, &store)
    }
    store.prepared.segments.append(segment)
    return true
  }
}
