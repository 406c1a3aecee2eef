import Buffers
import LayoutEngine
import TextMeasurement

extension ElementDraft {
  /// Reads one property; sizes to choose from go into `sizes`. Which properties a type has is checked before.
  mutating func read(
    _ keyword: Keyword, of type: ElementType, _ value: JSONValue, _ reader: ValueReader<some ValueSource>,
    fonts: FontTable,
    sizes: inout FlatBuffer<Size>
  ) throws(CellError) {
    switch keyword {
    case .direction: set(\.stack.direction, try reader.choice(value, StackLayoutDirection.self))
    case .spacing: set(\.stack.spacing, try reader.number(value))
    case .justifyContent: set(\.stack.justifyContent, try reader.choice(value, StackLayoutJustifyContent.self))
    case .alignItems: set(\.stack.alignItems, try reader.choice(value, StackLayoutAlignItems.self))
    case .flexWrap: set(\.stack.flexWrap, try reader.choice(value, StackLayoutFlexWrap.self))
    case .alignContent: set(\.stack.alignContent, try reader.choice(value, StackLayoutAlignContent.self))
    case .lineSpacing:
      let points = try reader.number(value)
      set(\.stack.lineSpacing, points)
      set(\.text.options.lineSpacing, points)
    case .horizontalAlignment: set(\.horizontalAlignment, try reader.choice(value, HorizontalAlignment.self))
    case .verticalAlignment: set(\.verticalAlignment, try reader.choice(value, VerticalAlignment.self))
    case .insets: set(\.insets, try reader.insets(value))
    case .centering:
      guard
        let axes = try reader.choice(
          value, [("none", (false, false)), ("x", (true, false)), ("y", (false, true)), ("xy", (true, true))])
      else { return }
      (centersX, centersY) = axes
    case .horizontal: set(\.horizontal, try reader.choice(value, RelativeLayoutPosition.self))
    case .vertical: set(\.vertical, try reader.choice(value, RelativeLayoutPosition.self))
    case .ratio: set(\.ratio, try reader.ratio(value))
    case .location: set(\.location, try reader.choice(value, CornerLayoutLocation.self))
    case .offset: set(\.offset, try reader.point(value))
    case .wrapsCorner: set(\.wrapsCorner, try reader.boolean(value))
    case .imageSize: set(\.contentSize, try reader.size(value))
    case .calculatedSize: try readCalculatedSize(value, reader, &sizes)
    case .sizing: try readSizing(of: type, value, reader)
    default: try readText(keyword, value, reader, fonts)
    }
  }

  /// `sizing` means something else in each spec that has it.
  private mutating func readSizing(
    of type: ElementType, _ value: JSONValue, _ reader: ValueReader<some ValueSource>
  ) throws(CellError) {
    switch type {
    case .absolute: set(\.absoluteSizing, try reader.choice(value, AbsoluteLayoutSizing.self))
    case .center:
      set(
        \.relativeSizing,
        try reader.choice(
          value,
          [
            ("default", .default), ("minimumX", .minimumWidth), ("minimumY", .minimumHeight),
            ("minimumXY", .minimumSize),
          ]))
    default: set(\.relativeSizing, try reader.choice(value, RelativeLayoutSizing.self))
    }
  }

  private mutating func readText(
    _ keyword: Keyword, _ value: JSONValue, _ reader: ValueReader<some ValueSource>, _ fonts: FontTable
  ) throws(CellError) {
    switch keyword {
    case .font:
      guard let name = try reader.string(value) else { return }
      text.font = try fonts.index(of: name)
    case .maximumNumberOfLines: set(\.text.options.maximumNumberOfLines, try reader.count(value))
    case .truncation: set(\.text.options.truncation, try reader.string(value))
    case .lineHeight: set(\.text.lineHeight, try reader.length(value))
    case .letterSpacing: set(\.text.letterSpacing, try reader.number(value))
    case .whiteSpace: set(\.text.options.whiteSpace, try reader.choice(value, WhiteSpace.self))
    default: break
    }
  }

  /// Reads one property of `style`.
  mutating func readStyle(
    _ keyword: Keyword, _ value: JSONValue, _ reader: ValueReader<some ValueSource>
  ) throws(CellError) {
    switch keyword {
    case .width: set(\.style.width, try reader.dimension(value))
    case .height: set(\.style.height, try reader.dimension(value))
    case .minWidth: set(\.style.minWidth, try reader.dimension(value))
    case .minHeight: set(\.style.minHeight, try reader.dimension(value))
    case .maxWidth: set(\.style.maxWidth, try reader.dimension(value))
    case .maxHeight: set(\.style.maxHeight, try reader.dimension(value))
    case .preferredSize: set(\.style.preferredSize, try reader.size(value))
    case .minSize: if let size = try reader.size(value) { style.setMinSize(size) }
    case .maxSize: if let size = try reader.size(value) { style.setMaxSize(size) }
    case .preferredLayoutSize:
      if let dimensions = try reader.dimensions(value) { (style.width, style.height) = dimensions }
    case .minLayoutSize:
      if let dimensions = try reader.dimensions(value) { (style.minWidth, style.minHeight) = dimensions }
    case .maxLayoutSize:
      if let dimensions = try reader.dimensions(value) { (style.maxWidth, style.maxHeight) = dimensions }
    case .preferredFrameSize: set(\.preferredFrameSize, try reader.size(value))
    case .sizeRange: set(\.style.sizeRange, try reader.relativeSizeRange(value))
    case .flexGrow: set(\.style.flexGrow, try reader.flexFactor(value))
    case .flexShrink: set(\.style.flexShrink, try reader.flexFactor(value))
    case .flexBasis: set(\.style.flexBasis, try reader.dimension(value))
    case .alignSelf: set(\.style.alignSelf, try reader.choice(value, StackLayoutAlignSelf.self))
    case .spacingBefore: set(\.style.spacingBefore, try reader.number(value))
    case .spacingAfter: set(\.style.spacingAfter, try reader.number(value))
    case .ascender: set(\.style.ascender, try reader.number(value))
    case .descender: set(\.style.descender, try reader.number(value))
    case .layoutPosition: set(\.style.layoutPosition, try reader.point(value))
    default: break
    }
  }

  /// One size, or a list of them to choose from by width.
  private mutating func readCalculatedSize(
    _ written: JSONValue, _ reader: ValueReader<some ValueSource>, _ sizes: inout FlatBuffer<Size>
  ) throws(CellError) {
    guard let value = try reader.resolve(written) else { return }
    guard value.element(0)?.kind == .array else {
      set(\.contentSize, try reader.size(value))
      return
    }
    var chosen = Span(first: Int32(sizes.count))
    try value.forEachElement { (position, element) throws(CellError) in
      guard let size = try reader.size(element) else { return }
      sizes.append(size)
      chosen.count += 1
    }
    contentSizes = chosen
  }

  private mutating func set<Value>(_ property: WritableKeyPath<ElementDraft, Value>, _ value: Value?) {
    if let value { self[keyPath: property] = value }
  }
}
