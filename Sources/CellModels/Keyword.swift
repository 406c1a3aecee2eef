import Buffers

/// Every key an element can have.
enum Keyword: String, CaseIterable, BitwiseCopyable {
  case type, id, style, when, forEach, `as`, limit
  case child, children, overlay, background, corner, layout
  // Properties of elements.
  case direction, spacing, justifyContent, alignItems, flexWrap, alignContent, lineSpacing
  case horizontalAlignment, verticalAlignment, insets, centering, sizing, ratio, horizontal, vertical
  case location, offset, wrapsCorner, calculatedSize, imageSize, url
  case text, runs, font, maximumNumberOfLines, truncation, lineHeight, letterSpacing, whiteSpace
  case title, contentSpacing, laysOutHorizontally, contentEdgeInsets, imageAlignment
  // Properties of `style`.
  case width, height, minWidth, minHeight, maxWidth, maxHeight
  case preferredSize, minSize, maxSize, preferredLayoutSize, minLayoutSize, maxLayoutSize
  case preferredFrameSize, sizeRange, flexGrow, flexShrink, flexBasis, alignSelf
  case spacingBefore, spacingAfter, ascender, descender, layoutPosition

  static let ofEveryElement: [Keyword] = [.type, .id, .style, .when, .forEach, .as, .limit]

  static let ofStyle: [Keyword] = [
    .width, .height, .minWidth, .minHeight, .maxWidth, .maxHeight, .preferredSize, .minSize, .maxSize,
    .preferredLayoutSize, .minLayoutSize, .maxLayoutSize, .preferredFrameSize, .sizeRange, .flexGrow, .flexShrink,
    .flexBasis, .alignSelf, .spacingBefore, .spacingAfter, .ascender, .descender, .layoutPosition,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.bytes, $0) })

  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, ByteString(keeping: $0.rawValue)) })

  static func named(_ name: ByteString) -> Keyword? { byName[name] }

  var bytes: ByteString { Self.names[self] ?? .empty }
}
