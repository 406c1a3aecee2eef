import Buffers

@testable import TextMeasuring

extension TextMeasurer {
  /// Returns the offsets at which the lines of the last measurement, which was of this text, start in the text as written, in
  /// UTF-16. A line that starts with characters that were left out starts with the first of them.
  func lineStarts(of number: Int, writtenAs string: String) -> [Int] {
    let text = store.prepared.texts[number]
    guard lineEnds.count > 0 else { return [] }
    let origins = origins(of: text, in: Array(string.utf16))
    let first = text.segments.count > 0 ? Int(store.prepared.segments[text.segments.first].start) : 0
    return ([first] + lineEnds.dropLast().map { Int($0.unit) }).map { $0 < origins.count ? origins[$0] : origins.count }
  }

  /// Returns the offset of each unit of a text in the text as written.
  private func origins(of text: PreparedText, in written: [UInt16]) -> [Int] {
    var units = (0..<text.unitCount).map { store.prepared.units[text.unitStart + $0] }
    for substitute in store.prepared.substitutes.values where units.indices.contains(substitute.index - text.unitStart)
    {
      units[substitute.index - text.unitStart] = substitute.original
    }
    let collapses = text.options.whiteSpace == .collapse
    let whiteSpace: [UInt16] = [0x09, 0x0a, 0x0d, 0x20]
    var next = 0
    return units.map { unit in
      if collapses && unit != 0x20 {
        while whiteSpace.contains(written[next]) { next += 1 }
      }
      let origin = next
      if collapses && unit == 0x20 {
        while next < written.count && whiteSpace.contains(written[next]) { next += 1 }
      } else {
        while written[next] != unit { next += 1 }
        next += 1
      }
      return origin
    }
  }
}
