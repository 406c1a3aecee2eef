import LayoutEngine
import TextMeasuring

/// An element while its properties are being read: all that any type can be told.
struct ElementDraft: BitwiseCopyable {
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
  var ratio = 1.0
  var location = CornerLayoutLocation.topLeft
  var offset = Point.zero
  var wrapsCorner = false
  var contentSize = Size.undefined
  /// Sizes to choose from, among the tree's sizes.
  var contentSizes = Span()
  var preferredFrameSize = Size.undefined
  /// Of a button.
  var imageAlignsAtEnd = false
  var text = TextDraft()

  /// The element that this draft has become.
  func element(of type: ElementType) -> Element {
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
    case .node, .image, .networkImage, .multiplexImage, .video, .videoPlayer, .button:
      // calculateSizeThatFits: overridden does not ask for the preferredFrameSize; an image does.
      if contentSizes.count > 0 {
        return .node(calculatedSizes: Int(contentSizes.first), count: Int(contentSizes.count))
      }
      if type == .node && !contentSize.width.isNaN { return .node(calculatedSize: contentSize) }
      if !preferredFrameSize.width.isNaN { return .node(calculatedSize: preferredFrameSize) }
      return contentSize.width.isNaN ? .node : .node(calculatedSize: contentSize)
    }
  }

  /// The style, with what 1.x's `preferredFrameSize` does on the side: it also sets an exact `sizeRange`.
  var finishedStyle: LayoutElementStyle {
    var finished = style
    if !preferredFrameSize.width.isNaN && style.sizeRange == .unconstrained {
      finished.sizeRange = RelativeSizeRange(
        width: .points(preferredFrameSize.width), height: .points(preferredFrameSize.height))
    }
    return finished
  }
}

/// What a text is told beside its string. NaN: as its font says.
struct TextDraft: BitwiseCopyable {
  var options = TextOptions()
  var font: Int32 = absent
  var lineHeight = Double.nan
  var letterSpacing = Double.nan
}
