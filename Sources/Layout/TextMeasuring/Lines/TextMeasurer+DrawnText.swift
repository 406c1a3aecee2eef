import Buffers

/// The characters of a text as it is drawn, to which the offsets of its lines refer.
///
/// The functions that change nothing are `mutating`, because otherwise the compiler copies the measurer, which has more than a
/// thousand bytes, for each call.
extension TextMeasurer {
  /// Whether the ends of the runs are kept for `runEnds(of:)`. It must be set before a text is prepared.
  public var keepsRunEnds: Bool {
    get { store.prepared.keepsRunEnds }
    set { store.prepared.keepsRunEnds = newValue }
  }

  /// The offset in the text as drawn after the last unit of each run, in UTF-16. Empty unless `keepsRunEnds` is set. The
  /// memory is valid until a text is prepared or removed.
  public mutating func runEnds(of number: Int) -> UnsafeBufferPointer<Int32> {
    let range = store.prepared.texts.base[number].runEnds
    return UnsafeBufferPointer(start: store.prepared.runEnds.base + range.first, count: range.count)
  }

  /// Whether the characters of a text are drawn as they are written in its runs, so that `appendDrawnText` is not needed.
  public mutating func isDrawnAsWritten(_ number: Int) -> Bool {
    !store.prepared.texts.base[number].traits.contains(.rewritten)
  }

  /// Appends the characters of a text as UTF-8. An unpaired surrogate becomes U+FFFD.
  public mutating func appendDrawnText(of number: Int, to bytes: inout FlatBuffer<UInt8>) {
    appendDrawnText(of: number, 0..<store.prepared.texts.base[number].unitCount, to: &bytes)
  }

  /// Returns the characters of the text that a line shows.
  mutating func characters(of number: Int, _ line: TextLine) -> String {
    var bytes = FlatBuffer<UInt8>()
    appendDrawnText(of: number, Int(line.start)..<max(Int(line.start), Int(line.end)), to: &bytes)
    return String(decoding: bytes.values, as: UTF8.self)
  }

  private mutating func appendDrawnText(of number: Int, _ units: Range<Int>, to bytes: inout FlatBuffer<UInt8>) {
    let start = store.prepared.texts.base[number].unitStart
    var index = start + units.lowerBound
    let end = start + units.upperBound
    // A unit has three bytes at most, and a pair of surrogates four.
    bytes.reserve(3 * units.count)
    var next = bytes.base + bytes.count
    for original in store.prepared.substitutes(from: index) where original.index < end {
      appendUnits(&index, upTo: original.index, &next)
      next.append(scalar: UInt32(original.original))
      index += 1
    }
    appendUnits(&index, upTo: end, &next)
    bytes.count = next - bytes.base
  }

  /// Writes the scalar values of units that are shaped as they are.
  private func appendUnits(_ index: inout Int, upTo end: Int, _ next: inout UnsafeMutablePointer<UInt8>) {
    while index < end {
      if end - index >= AsciiUnits.scalarCount, appendASCII(at: index, &next) {
        index += AsciiUnits.scalarCount
        continue
      }
      let unit = store.prepared.units[index]
      if unit < 0x80 {
        next.pointee = UInt8(truncatingIfNeeded: unit)
        next += 1
        index += 1
      } else {
        let (scalar, count) = store.scalar(at: index)
        next.append(scalar: index + count <= end ? scalar : 0xfffd)
        index += count
      }
    }
  }

  /// Units that are tested together.
  private typealias AsciiUnits = SIMD8<UInt16>

  /// Writes the next eight units if all are ASCII, and returns whether they are.
  @inline(__always)
  private func appendASCII(at index: Int, _ next: inout UnsafeMutablePointer<UInt8>) -> Bool {
    let units = UnsafeRawPointer(store.prepared.units.base + index).loadUnaligned(as: AsciiUnits.self)
    guard units.max() < 0x80 else { return false }
    UnsafeMutableRawPointer(next).storeBytes(
      of: SIMD8<UInt8>(truncatingIfNeeded: units), as: SIMD8<UInt8>.self)
    next += AsciiUnits.scalarCount
    return true
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

extension UnsafeMutablePointer where Pointee == UInt8 {
  /// Writes a scalar value as UTF-8, and moves behind it.
  @inline(__always)
  fileprivate mutating func append(scalar: UInt32) {
    for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{fffd}") ?? UTF8.encodedReplacementCharacter {
      pointee = byte
      self += 1
    }
  }
}
