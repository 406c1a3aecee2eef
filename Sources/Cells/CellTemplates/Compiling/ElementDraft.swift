import Buffers
import LayoutEngine
import TextMeasuring

/// An element whose properties are being read. It has the properties of all element types.
struct ElementDraft: BitwiseCopyable {
  /// The generation whose defaults the properties have.
  let generation: LayoutGeneration
  var style = LayoutElementStyle()
  var stack = StackOptions()
  var horizontalAlignment = HorizontalAlignment.none
  var verticalAlignment = VerticalAlignment.none
  var insets = EdgeInsets()
  var centersX = true
  var centersY = true
  var horizontal = RelativeLayoutPosition.none
  var vertical = RelativeLayoutPosition.none
  var relativeSizing = RelativeLayoutSizing.default
  var absoluteSizing = AbsoluteLayoutSizing.default
  /// NaN until it is read; a ratio spec needs one.
  var ratio = Double.nan
  var location = CornerLayoutLocation.topLeft
  var offset = Point.zero
  var wrapsCorner = false
  var contentSize = Size.undefined
  /// The sizes that the element can choose from, among the tree's sizes.
  var contentSizes = BufferRange()
  var preferredFrameSize = Size.undefined
  /// Whether the image of a button is at the end, after the title.
  var imageAlignsAtEnd = false
  /// Whether a button has a background image.
  var hasBackgroundImage = false
  var layoutDirection: LayoutDirection?
  var scrollableDirections = ScrollableDirections.vertical
  var text = TextDraft()

  init(_ generation: LayoutGeneration) {
    self.generation = generation
    if generation == .first { stack.alignItems = .start }
  }

  /// Returns the element that the draft describes.
  func element(of type: ElementType) -> Element {
    guard let layoutDirection else { return elementInDirectionOfList(type) }
    var element = elementInDirectionOfList(type)
    element.layoutDirection = layoutDirection
    return element
  }

  private func elementInDirectionOfList(_ type: ElementType) -> Element {
    switch type {
    case .stack:
      var options = stack
      options.apply(horizontal: horizontalAlignment, vertical: verticalAlignment)
      return .stack(options)
    case .inset: return .inset(insets)
    case .overlay: return .overlay
    case .background: return .background
    case .center: return .center(x: centersX, y: centersY, sizing: relativeSizing)
    case .ratio: return .ratio(ratio)
    case .relative: return .relative(horizontal: horizontal, vertical: vertical, sizing: relativeSizing)
    case .absolute: return .absolute(absoluteSizing)
    case .static: return .static
    case .corner: return .corner(location, offset: offset, wrapsCorner: wrapsCorner)
    case .wrapper: return .wrapper
    case .spec: return .spec
    case .text: return .text
    case .scroll: return .scroll(scrollableDirections)
    // The preferredFrameSize of a button is that of a wrapper inside it.
    case .button: return .node
    case .node, .image, .networkImage, .multiplexImage, .video, .videoPlayer:
      // A node that overrides calculateSizeThatFits: does not use its preferredFrameSize; an image does.
      if contentSizes.count > 0 {
        return .node(calculatedSizes: Int(contentSizes.first), count: Int(contentSizes.count))
      }
      if type == .node && !contentSize.width.isNaN { return .node(calculatedSize: contentSize) }
      if !preferredFrameSize.width.isNaN { return .node(calculatedSize: preferredFrameSize) }
      if !contentSize.width.isNaN { return .node(calculatedSize: contentSize) }
      // In 1.9 only videos fill their room; the default of preferredFrameSize is 0 by 0.
      let fills = generation == .second || type == .video || type == .videoPlayer
      return fills ? .node : .node(calculatedSize: .zero)
    }
  }

  /// Returns the style, completed by what `preferredFrameSize` sets beside the size of the content: an exact `sizeRange`,
  /// and in 2.x the width and the height of a node. In 1.9 only buttons have wrappers, which are as large as the button.
  func finishedStyle(of type: ElementType) -> LayoutElementStyle {
    var finished = style
    guard !preferredFrameSize.width.isNaN else { return finished }
    let (width, height) = (Dimension.points(preferredFrameSize.width), Dimension.points(preferredFrameSize.height))
    if style.sizeRange == .unconstrained { finished.sizeRange = RelativeSizeRange(width: width, height: height) }
    if generation == .first ? type == .wrapper : type.isNode {
      if style.width == .auto { finished.width = width }
      if style.height == .auto { finished.height = height }
    }
    return finished
  }
}

/// The properties of a text beside its string. A number that is NaN means the font's own value.
struct TextDraft: BitwiseCopyable {
  var options = TextOptions()
  var font: Int32 = absent
  var lineHeight = Double.nan
  var letterSpacing = Double.nan
  var baselineOffset = Double.nan
  /// The size of what a run shows instead of characters.
  var attachment: TextAttachment?
  var placement = TextPlacement()
  /// The font of marks that name none, or `absent` for that of the text.
  var markFont: Int32 = absent
  var markOffsets = MarkOffsets.utf16
  /// The text after the truncation string, or empty.
  var additionalTruncationMessage = ByteString.empty
  /// Whether the text states its truncation string.
  var statesTruncation = false
}
