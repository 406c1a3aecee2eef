import Buffers

/// A key that an element can have.
enum Keyword: UInt8, NamedChoice, BitwiseCopyable {
  case type, id, style, when, forEach, `as`, limit
  // Keys of contained elements, in the order in which the engine needs them.
  case child, children, overlay, background, corner, layout
  // Properties of elements.
  case direction, spacing, justifyContent, alignItems, flexWrap, alignContent, lineSpacing
  case horizontalAlignment, verticalAlignment, baselineRelativeArrangement, insets, centering, sizing, ratio,
    horizontal, vertical
  case location, offset, wrapsCorner, layoutDirection, scrollableDirections, calculatedSize, imageSize, url,
    defaultImageSize, posterUrl, images
  case text, runs, font, maximumNumberOfLines, truncation, lineHeight, letterSpacing, whiteSpace, breakStrategy
  case textContainerInset, alignment, additionalTruncationMessage, marks, markFont, markOffsets
  case firstLineHeadIndent, headIndent, tailIndent, paragraphSpacing, paragraphSpacingBefore, baseDirection
  case baselineOffset, attachment, kind, pointSizeScaleFactors, exclusionPaths
  case lang, hyphens, overflowWrap, wordBreak, lineBreak, textWrap, tabSize
  case title, contentSpacing, laysOutHorizontally, contentEdgeInsets, imageAlignment
  case contentHorizontalAlignment, contentVerticalAlignment, backgroundImage
  // Properties of `style`.
  case width, height, minWidth, minHeight, maxWidth, maxHeight
  case preferredSize, minSize, maxSize, preferredLayoutSize, minLayoutSize, maxLayoutSize
  case preferredFrameSize, sizeRange, flexGrow, flexShrink, flexBasis, alignSelf
  case spacingBefore, spacingAfter, ascender, descender, layoutPosition

  static let ofStyle = KeywordSet(CellFormat.style.compactMap(\.keyword))
  /// The keys of the elements inside an element.
  static let ofElements = KeywordSet(
    CellFormat.elements.flatMap(\.properties).filter { $0.type.isOfElements }.compactMap(\.keyword))
  static let ofRun = KeywordSet(CellFormat.run.compactMap(\.keyword))

  static let names = allCases.map { "\($0)" }
  private static let bytes = names.map { ByteString(keeping: $0) }
  static let numbers = NameIndex(bytes)

  /// The size of a style that the property sets, if other properties set the same size.
  var size: StyleSize? {
    switch self {
    case .width, .height, .preferredSize, .preferredLayoutSize: .exact
    case .minWidth, .minHeight, .minSize, .minLayoutSize: .minimum
    case .maxWidth, .maxHeight, .maxSize, .maxLayoutSize: .maximum
    default: nil
    }
  }

  enum StyleSize { case exact, minimum, maximum }

  var name: String { Self.names[Int(rawValue)] }
  var bytes: ByteString { Self.bytes[Int(rawValue)] }
}

/// A set of keys, which is iterated in the order of their declaration.
struct KeywordSet: BitwiseCopyable, Sequence, IteratorProtocol {
  private var bits: UInt128 = 0

  init(_ keywords: [Keyword]) {
    for keyword in keywords { bits |= 1 << keyword.rawValue }
  }

  func contains(_ keyword: Keyword) -> Bool { bits >> keyword.rawValue & 1 != 0 }

  mutating func next() -> Keyword? {
    guard bits != 0 else { return nil }
    defer { bits &= bits - 1 }
    return Keyword(rawValue: UInt8(bits.trailingZeroBitCount))
  }
}
