import Buffers
import LayoutEngine
import TextMeasuring

extension ElementDraft {
  /// Reads one property of an element. The sizes that the element can choose from are added to `sizes`. The caller has
  /// checked that the type has the property.
  mutating func read(
    _ keyword: Keyword, of type: ElementType, _ value: JSONValue, _ reader: ValueReader<some ValueSource>,
    fonts: FontTable,
    sizes: inout FlatBuffer<Size>
  ) throws(CellError) {
    switch keyword {
    case .direction: assign(&stack.direction, try reader.choice(value, StackLayoutDirection.self))
    case .spacing: assign(&stack.spacing, try reader.number(value))
    case .justifyContent: assign(&stack.justifyContent, try reader.choice(value, StackLayoutJustifyContent.self))
    case .alignItems: assign(&stack.alignItems, try reader.choice(value, StackLayoutAlignItems.self))
    case .flexWrap: assign(&stack.flexWrap, try reader.choice(value, StackLayoutFlexWrap.self))
    case .alignContent: assign(&stack.alignContent, try reader.choice(value, StackLayoutAlignContent.self))
    case .lineSpacing:
      let points = try reader.number(value)
      assign(&stack.lineSpacing, points)
      assign(&text.options.lineSpacing, points)
    case .horizontalAlignment: assign(&horizontalAlignment, try reader.choice(value, HorizontalAlignment.self))
    case .verticalAlignment: assign(&verticalAlignment, try reader.choice(value, VerticalAlignment.self))
    case .baselineRelativeArrangement: assign(&stack.baselineRelativeArrangement, try reader.boolean(value))
    case .insets: assign(&insets, try reader.insets(value))
    case .centering:
      if let axes = try reader.choice(value, Self.centerings) { (centersX, centersY) = axes }
    case .horizontal: assign(&horizontal, try reader.choice(value, RelativeLayoutPosition.self))
    case .vertical: assign(&vertical, try reader.choice(value, RelativeLayoutPosition.self))
    case .ratio: assign(&ratio, try reader.ratio(value))
    case .location: assign(&location, try reader.choice(value, CornerLayoutLocation.self))
    case .offset: assign(&offset, try reader.point(value))
    case .layoutDirection: layoutDirection = try reader.choice(value, LayoutDirection.self)
    case .scrollableDirections: assign(&scrollableDirections, try reader.choice(value, ScrollableDirections.self))
    case .wrapsCorner: assign(&wrapsCorner, try reader.boolean(value))
    case .imageSize, .defaultImageSize: assign(&contentSize, try reader.size(value))
    case .laysOutHorizontally:
      assign(&stack.direction, try reader.boolean(value).map { $0 ? .horizontal : .vertical })
    case .backgroundImage: assign(&hasBackgroundImage, try reader.boolean(value))
    case .imageAlignment: assign(&imageAlignsAtEnd, try reader.choice(value, Self.imageAlignments))
    case .calculatedSize: try readCalculatedSize(value, reader, &sizes)
    case .sizing: try readSizing(of: type, value, reader)
    default: try readText(keyword, value, reader, fonts)
    }
  }

  static let imageAlignments = [("beginning", false), ("end", true)]
  static let centerings = [
    ("none", (false, false)), ("x", (true, false)), ("y", (false, true)), ("xy", (true, true)),
  ]
  static let centerSizings: [(String, RelativeLayoutSizing)] = [
    ("default", .default), ("minimumX", .minimumWidth), ("minimumY", .minimumHeight), ("minimumXY", .minimumSize),
  ]

  /// Reads `sizing`, which has a different meaning in each spec that has it.
  private mutating func readSizing(
    of type: ElementType, _ value: JSONValue, _ reader: ValueReader<some ValueSource>
  ) throws(CellError) {
    switch type {
    case .absolute: assign(&absoluteSizing, try reader.choice(value, AbsoluteLayoutSizing.self))
    case .center: assign(&relativeSizing, try reader.choice(value, Self.centerSizings))
    default: assign(&relativeSizing, try reader.choice(value, RelativeLayoutSizing.self))
    }
  }

  private mutating func readText(
    _ keyword: Keyword, _ value: JSONValue, _ reader: ValueReader<some ValueSource>, _ fonts: FontTable
  ) throws(CellError) {
    switch keyword {
    case .font: assign(&text.font, try reader.string(value).map(fonts.index(of:)))
    case .markFont: assign(&text.markFont, try reader.string(value).map(fonts.index(of:)))
    case .firstLineHeadIndent: assign(&text.options.paragraphs.firstLineHeadIndent, try reader.length(value))
    case .tailIndent: assign(&text.options.paragraphs.tailIndent, try reader.number(value))
    case .baseDirection: assign(&text.options.baseDirection, try reader.choice(value, BaseDirection.self))
    case .baselineOffset: assign(&text.baselineOffset, try reader.number(value))
    case .pointSizeScaleFactors: assign(&text.placement.pointSizeScaleFactors, try reader.factors(value))
    case .exclusionPaths: assign(&text.placement.exclusionPaths, try reader.exclusionPaths(value))
    case .attachment:
      guard let size = try reader.size(value) else { return }
      text.attachment = TextAttachment(width: size.width, height: size.height)
    case .headIndent: assign(&text.options.paragraphs.headIndent, try reader.length(value))
    case .paragraphSpacing: assign(&text.options.paragraphs.paragraphSpacing, try reader.length(value))
    case .paragraphSpacingBefore: assign(&text.options.paragraphs.paragraphSpacingBefore, try reader.length(value))
    case .markOffsets: assign(&text.markOffsets, try reader.choice(value, MarkOffsets.self))
    case .maximumNumberOfLines: assign(&text.options.maximumNumberOfLines, try reader.count(value))
    case .truncation:
      guard let truncation = try reader.string(value) else { return }
      (text.options.truncation, text.statesTruncation) = (truncation, true)
    case .additionalTruncationMessage: assign(&text.additionalTruncationMessage, try reader.string(value))
    case .alignment: assign(&text.placement.alignment, try reader.choice(value, TextAlignment.self))
    case .textContainerInset:
      guard let insets = try reader.insets(value) else { return }
      guard insets.isFinite else { throw CellError("is infinite here; give points") }
      text.placement.insets = insets
    case .lineHeight: assign(&text.lineHeight, try reader.length(value))
    case .letterSpacing: assign(&text.letterSpacing, try reader.number(value))
    case .breakStrategy:
      if let choice = try reader.choice(value, BreakStrategy.self) { text.options.breakStrategy = choice }
    case .whiteSpace: assign(&text.options.whiteSpace, try reader.choice(value, WhiteSpace.self))
    case .overflowWrap: assign(&text.options.css.overflowWrap, try reader.choice(value, OverflowWrap.self))
    case .lang: assign(&text.options.css.language, try reader.language(value))
    case .hyphens: assign(&text.options.css.hyphens, try reader.choice(value, Hyphens.self))
    case .wordBreak: assign(&text.options.css.wordBreak, try reader.choice(value, WordBreak.self))
    case .lineBreak: assign(&text.options.css.lineBreak, try reader.choice(value, LineBreak.self))
    case .textWrap: assign(&text.options.css.textWrap, try reader.choice(value, TextWrap.self))
    case .tabSize: assign(&text.options.css.tabSize, try reader.length(value).map { Float($0) })
    default: try readStyle(keyword, value, reader)
    }
  }

  mutating func readStyle(
    _ keyword: Keyword, _ value: JSONValue, _ reader: ValueReader<some ValueSource>
  ) throws(CellError) {
    switch keyword {
    case .width: assign(&style.width, try reader.dimension(value))
    case .height: assign(&style.height, try reader.dimension(value))
    case .minWidth: assign(&style.minWidth, try reader.dimension(value))
    case .minHeight: assign(&style.minHeight, try reader.dimension(value))
    case .maxWidth: assign(&style.maxWidth, try reader.dimension(value))
    case .maxHeight: assign(&style.maxHeight, try reader.dimension(value))
    case .preferredSize: assign(&style.preferredSize, try reader.size(value))
    case .minSize: assign(&style.minSize, try reader.size(value))
    case .maxSize: assign(&style.maxSize, try reader.size(value))
    case .preferredLayoutSize: assign(&style.preferredLayoutSize, try reader.dimensions(value))
    case .minLayoutSize: assign(&style.minLayoutSize, try reader.dimensions(value))
    case .maxLayoutSize: assign(&style.maxLayoutSize, try reader.dimensions(value))
    case .preferredFrameSize:
      // In 1.9, 0 by 0 stands for none.
      if let size = try reader.size(value) {
        preferredFrameSize = generation == .first && size == .zero ? .undefined : size
      }
    case .sizeRange: assign(&style.sizeRange, try reader.relativeSizeRange(value))
    case .flexGrow: assign(&style.flexGrow, try reader.flexFactor(value, generation))
    case .flexShrink: assign(&style.flexShrink, try reader.flexFactor(value, generation))
    case .flexBasis: assign(&style.flexBasis, try reader.dimension(value))
    case .alignSelf: assign(&style.alignSelf, try reader.choice(value, StackLayoutAlignSelf.self))
    case .spacingBefore: assign(&style.spacingBefore, try reader.number(value))
    case .spacingAfter: assign(&style.spacingAfter, try reader.number(value))
    case .ascender: assign(&style.ascender, try reader.number(value))
    case .descender: assign(&style.descender, try reader.number(value))
    case .layoutPosition: assign(&style.layoutPosition, try reader.point(value))
    default: break
    }
  }

  /// Reads one size, or a list of sizes from which the element chooses by width.
  private mutating func readCalculatedSize(
    _ written: JSONValue, _ reader: ValueReader<some ValueSource>, _ sizes: inout FlatBuffer<Size>
  ) throws(CellError) {
    guard let value = try reader.resolve(written) else { return }
    var isList = false
    var isKnown = value.kind != .array || value.isEmptyArray
    try value.forEachElement { (_, element) throws(CellError) in
      guard !isKnown, let part = try reader.resolve(element) else { return }
      (isKnown, isList) = (true, part.kind == .array)
    }
    // All sizes of the list are absent.
    guard isKnown else { return }
    guard isList else {
      assign(&contentSize, try reader.size(value))
      return
    }
    var chosen = BufferRange(first: Int32(sizes.count))
    try value.forEachElement { (position, element) throws(CellError) in
      let size = try reader.within("\(position)") { () throws(CellError) in try reader.size(element) }
      guard let size else { return }
      sizes.append(size)
      chosen.count += 1
    }
    contentSizes = chosen
  }
}
