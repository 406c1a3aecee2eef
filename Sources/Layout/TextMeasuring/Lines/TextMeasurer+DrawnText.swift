import Buffers

/// The characters of a text as it is drawn, to which the offsets of its lines refer.
extension TextMeasurer {
  /// Whether the ends of the runs are kept for `runEnds(of:)`. It must be set before a text is prepared.
  public var keepsRunEnds: Bool {
    get { store.prepared.keepsRunEnds }
    set { store.prepared.keepsRunEnds = newValue }
  }

  /// The offset in the text as drawn after the last unit of each run, in UTF-16. Empty unless `keepsRunEnds` is set. The
  /// memory is valid until a text is prepared or removed.
  public func runEnds(of number: Int) -> UnsafeBufferPointer<Int32> {
    let range = store.prepared.texts[number].runEnds
    return UnsafeBufferPointer(start: store.prepared.runEnds.base + range.first, count: range.count)
  }

  /// Appends the characters of a text as UTF-8. An unpaired surrogate becomes U+FFFD.
  public func appendDrawnText(of number: Int, to bytes: inout FlatBuffer<UInt8>) {
    let text = store.prepared.texts[number]
    var originals = store.prepared.substitutes(from: text.unitStart)
    let end = text.unitStart + text.unitCount
    var index = text.unitStart
    while index < end {
      let unit = store.prepared.units[index]
      if let first = originals.first, first.index == index {
        bytes.append(scalar: UInt32(first.original))
        originals = UnsafeBufferPointer(rebasing: originals.dropFirst())
        index += 1
      } else if unit < 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: unit))
        index += 1
      } else {
        let (scalar, count) = store.scalar(at: index)
        bytes.append(scalar: index + count <= end ? scalar : 0xfffd)
        index += count
      }
    }
  }

  /// Notes the ends of the runs of a text that was prepared.
  mutating func noteRunEnds(
    _ runs: UnsafeBufferPointer<TextRun>, decoded: UnsafeBufferPointer<Int>?, of text: inout PreparedText
  ) {
    text.runEnds.first = store.prepared.runEnds.count
    text.runEnds.count = runs.count
    var end = 0
    for index in runs.indices {
      // The units of plain ASCII are its bytes.
      end = decoded.map { $0[index] - text.unitStart } ?? end + runs[index].text.count
      store.prepared.runEnds.append(Int32(truncatingIfNeeded: end))
    }
  }
}

extension PreparedTexts {
  /// Returns the units that are shaped instead of others, from an index among the units of all texts on.
  fileprivate func substitutes(from index: Int) -> UnsafeBufferPointer<Substitute> {
    var low = 0
    var high = substitutes.count
    while low < high {
      let middle = (low + high) / 2
      if substitutes[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return UnsafeBufferPointer(rebasing: substitutes.values[low...])
  }
}

extension FlatBuffer where Element == UInt8 {
  /// Appends a scalar value as UTF-8.
  fileprivate mutating func append(scalar: UInt32) {
    let scalar = Unicode.Scalar(scalar) ?? "\u{fffd}"
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
  }
}
