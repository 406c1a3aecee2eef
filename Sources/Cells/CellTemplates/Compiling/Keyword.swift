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

  static let ofStyle = PropertyKeys(CellFormat.style)
  static let ofRun = PropertyKeys(CellFormat.run)
  /// The keys of all element types, without those that every element can have.
  static let ofTypes = PropertyKeys(CellFormat.elements.flatMap(\.properties))

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

/// The keys of properties.
struct PropertyKeys {
  let all: KeywordSet
  /// Those of contained elements, in the order in which the engine needs them.
  let ofElements: KeywordSet
  /// Those that only AsyncDisplayKit 2 has, and those that only 1.x has.
  let second, onlyFirst: KeywordSet

  init(_ properties: [PropertyFormat]) {
    func keys(_ isWanted: (PropertyFormat) -> Bool) -> KeywordSet {
      KeywordSet(properties.filter(isWanted).compactMap(\.keyword))
    }
    all = keys { _ in true }
    ofElements = keys { $0.type.isOfElements }
    second = keys { $0.generation == .second }
    onlyFirst = keys { $0.generation == .onlyFirst }
  }
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
