import Buffers
import CHashing
import CellTemplates
import LayoutEngine
import TextMeasuring

/// A hash of everything that a cell's frames depend on: its elements, styles and texts as they were bound. Two cells
/// with the same fingerprint and range have the same frames, whatever their ids, names and URLs are. It has 128 bits,
/// so that different cells practically never have the same fingerprint.
struct LayoutFingerprint: Equatable, BitwiseCopyable {
  var low: UInt64 = 0
  var high: UInt64 = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    let hash = XXH3_128bits(bytes.baseAddress, bytes.count)
    (low, high) = (hash.low64, hash.high64)
  }

  /// - Parameter parts: a buffer for the hashes of the parts.
  init(_ binder: RowBinder, _ parts: inout FlatBuffer<UInt64>) {
    parts.removeAll()
    Self.add(binder.tree.elements.bytes, to: &parts)
    Self.add(binder.ownStyles, to: &parts)
    Self.add(binder.ownSizes, to: &parts)
    let (hasPlacements, hasSpans) = (binder.hasPlacements, binder.hasSpans)
    for number in 0..<binder.textCount {
      let options = binder.options(ofText: number)
      parts.append(UInt64(truncatingIfNeeded: options.maximumNumberOfLines))
      parts.append(options.lineSpacing.bitPattern)
      let hasParagraphs = !options.paragraphs.isPlain
      let hasCSS = !options.css.isPlain
      let runs = binder.runs(ofText: number)
      let ownStyle = binder.ownStyle(ofText: number)
      // The parts of these are not the same for all texts, so that flags and the number of runs tell which follow.
      parts.append(
        (options.whiteSpace == .preserve ? 1 : 0) | (hasParagraphs ? 2 : 0) | (hasPlacements ? 4 : 0)
          | UInt64(options.baseDirection.rawValue) << 3 | (hasSpans ? 32 : 0)
          | (hasCSS ? 64 : 0) | (ownStyle != nil ? 128 : 0) | UInt64(truncatingIfNeeded: runs.count) << 8)
      parts.append(UInt64(options.breakStrategy?.rawValue ?? .max))
      if hasParagraphs { Self.add(bytesOf: options.paragraphs, to: &parts) }
      if hasCSS { Self.add(bytesOf: options.css, to: &parts) }
      if hasSpans { Self.add(binder.spans(ofText: number), to: &parts) }
      if hasPlacements { Self.add(binder.placement(ofText: number).pointee, to: &parts) }
      if let ownStyle { Self.add(ownStyle, ownStyle.scaling, to: &parts) }
      Self.add(UnsafeRawBufferPointer(options.truncation.bytes), to: &parts)
      for run in runs {
        // The font determines the scaling of a style, and a row's lines name it.
        Self.add(run.style, run.font, to: &parts)
        Self.add(UnsafeRawBufferPointer(run.text.bytes), to: &parts)
      }
    }
    self.init(parts.bytes)
  }

  /// Adds the spans of a text, which the lines of a row state.
  @inline(never)
  private static func add(_ spans: UnsafeBufferPointer<BoundSpan>, to parts: inout FlatBuffer<UInt64>) {
    parts.append(UInt64(truncatingIfNeeded: spans.count))
    for span in spans {
      parts.append(UInt64(truncatingIfNeeded: span.run))
      add(UnsafeRawBufferPointer(span.url.bytes), to: &parts)
      add(UnsafeRawBufferPointer(span.kind.bytes), to: &parts)
    }
  }

  /// Adds a style, and the font or the scaling that it has.
  @inline(__always)
  private static func add(_ style: TextStyle, _ font: Int32, to parts: inout FlatBuffer<UInt64>) {
    let isRaised = style.baselineOffset != 0 || style.attachment != nil
    parts.append(
      UInt64(UInt32(bitPattern: style.face)) | UInt64(UInt32(bitPattern: font)) << 32 | (isRaised ? 1 << 63 : 0))
    if isRaised {
      parts.append(style.baselineOffset.bitPattern)
      add(bytesOf: style.attachment ?? TextAttachment(width: -1, height: -1), to: &parts)
    }
    for number in [style.size, style.lineHeight, style.letterSpacing] { parts.append(number.bitPattern) }
  }

  @inline(never)
  private static func add(_ placement: TextPlacement, to parts: inout FlatBuffer<UInt64>) {
    let paths = placement.exclusionPaths
    parts.append(UInt64(placement.alignment.rawValue) | UInt64(paths.count) << 8)
    add(bytesOf: placement.insets, to: &parts)
    add(bytesOf: placement.pointSizeScaleFactors, to: &parts)
    for index in 0..<paths.count {
      let path = paths[index]
      parts.append(UInt64(path.y.bitPattern) | UInt64(path.side.rawValue) << 32)
      parts.append(UInt64(path.width.bitPattern) | UInt64(path.height.bitPattern) << 32)
    }
  }

  /// Adds the bytes of a value. Its properties follow each other without padding, so that values of the same bits have the same bytes; if
  /// they did not, equal cells would only be found less often.
  @inline(never)
  private static func add(bytesOf value: some BitwiseCopyable, to parts: inout FlatBuffer<UInt64>) {
    withUnsafeBytes(of: value) { add($0, to: &parts) }
  }

  private static func add(_ bytes: UnsafeRawBufferPointer, to parts: inout FlatBuffer<UInt64>) {
    let hash = LayoutFingerprint(bytes)
    parts.append(hash.low)
    parts.append(hash.high)
  }

  /// Returns the fingerprint combined with the range, the variant and the directions, on which frames also depend.
  ///
  /// - Parameter followsWidthOfList: Whether the row follows the width of its list, on which its margins depend.
  func with(
    _ range: SizeRange, _ variant: Variant, _ directions: LayoutDirections, followsWidthOfList: Bool
  ) -> LayoutFingerprint {
    var options = UInt64(variant.platform.rawValue) | UInt64(variant.textSize?.rawValue ?? .max) << 8
    if variant.hasLines { options |= 1 << 32 }
    if directions.list == .rtl { options |= 1 << 33 }
    if let cell = directions.cell { options |= 1 << (34 + UInt64(cell.rawValue)) }
    if followsWidthOfList { options |= 1 << 36 }
    let parts = (
      low, high, range.min.width, range.min.height, range.max.width, range.max.height, variant.scale,
      variant.textScale, followsWidthOfList ? variant.cutOfWidth ?? 0 : 0, options
    )
    return withUnsafeBytes(of: parts) { LayoutFingerprint($0) }
  }
}
