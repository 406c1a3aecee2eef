import LayoutEngine
import TextMeasuring

/// An element whose properties are being read. It has the properties of all element types.
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
  /// The sizes that the element can choose from, among the tree's sizes.
  var contentSizes = BufferRange()
  var preferredFrameSize = Size.undefined
  /// Whether the image of a button is at the end, after the title.
  var imageAlignsAtEnd = false
  var text = TextDraft()

  /// Returns the element that the draft describes.
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
      // A node that overrides calculateSizeThatFits: does not use its preferredFrameSize; an image does.
      if contentSizes.count > 0 {
        return .node(calculatedSizes: Int(contentSizes.first), count: Int(contentSizes.count))
      }
      if type == .node && !contentSize.width.isNaN { return .node(calculatedSize: contentSize) }
      if !preferredFrameSize.width.isNaN { return .node(calculatedSize: preferredFrameSize) }
      return contentSize.width.isNaN ? .node : .node(calculatedSize: contentSize)
    }
  }

  /// The style, completed by the side effect of 1.x's `preferredFrameSize`, which also sets an exact `sizeRange`.
  var finishedStyle: LayoutElementStyle {
    var finished = style
    if !preferredFrameSize.width.isNaN && style.sizeRange == .unconstrained {
      finished.sizeRange = RelativeSizeRange(
        width: .points(preferredFrameSize.width), height: .points(preferredFrameSize.height))
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
}
