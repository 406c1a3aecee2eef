/// A question of a scrolling list: which rows and resources does it need at this position?
///
/// Lengths and offsets are points; offsets count as the `ListAxis` of the list states.
public struct PrefetchQuery: Equatable, Sendable {
  /// The offset of the viewport's top, or of its left edge in a list that scrolls horizontally. It is negative while a list
  /// is pulled beyond this edge.
  public var offset: Double
  /// The length of the viewport along the axis of the list, which is not negative.
  public var viewport: Double
  /// The direction on the screen in which the viewport moves. With nil it moves towards the last row. This is Texture's
  /// initial direction but for a list from right to left: there Texture begins with right, which leads to the first row.
  public var direction: ScrollDirection?
  public var mode: RangeMode
  /// The extent of the display range, if it is not that of the mode.
  public var display: TuningParameters?
  /// The extent of the preload range, if it is not that of the mode.
  public var preload: TuningParameters?
  /// The distance from the content's end, in viewports, at which the list asks for its next rows: Texture's
  /// `leadingScreensForBatching`. With 0 or less it never asks.
  public var leadingScreensForBatching: Double
  /// Whether the list is fetching rows that it has asked for and not received yet. It asks for no others meanwhile.
  public var isFetching: Bool
  /// Whether the list is in no window, for example behind another screen. It then asks for rows only if it has fewer
  /// than fill its viewport.
  public var isHidden: Bool
  /// The velocity towards the end of the content in points per millisecond, as `scrollViewWillEndDragging` has it. With
  /// nil, it is not known.
  public var velocity: Double?

  public init(
    offset: Double, viewport: Double, direction: ScrollDirection? = nil, mode: RangeMode = .full,
    display: TuningParameters? = nil, preload: TuningParameters? = nil, leadingScreensForBatching: Double = 2,
    isFetching: Bool = false, isHidden: Bool = false, velocity: Double? = nil
  ) {
    self.offset = offset
    self.viewport = viewport
    self.direction = direction
    self.mode = mode
    self.display = display
    self.preload = preload
    self.leadingScreensForBatching = leadingScreensForBatching
    self.isFetching = isFetching
    self.isHidden = isHidden
    self.velocity = velocity
  }

  /// The points by which lengths may differ and still count as equal. The lengths in tables are floats of 32 bits, and those of a
  /// query often of 64: a page of 411.428571 points has 411.428558 in the table, and the differences of all pages before it add
  /// up, to a quarter of this at most. The limit is less than a device pixel where a point has up to 16 of them.
  var tolerance: Double { min((offset.magnitude + viewport) * 0x1p-22, 1.0 / 16) }
}

/// How much a list loads ahead: Texture's `ASLayoutRangeMode` (layout-semantics 9).
public enum RangeMode: String, CaseIterable, Sendable {
  /// The mode of a list before the user scrolls it.
  case minimum
  /// The mode of a list that the user scrolls.
  case full
  /// The mode of a list in the background, or after a memory warning.
  case visibleOnly
  /// The mode of a list that is not visible and must release memory: its display and preload ranges are empty.
  case lowMemory

  /// The extent of the display range.
  public var display: TuningParameters {
    switch self {
    case .full: TuningParameters(leading: 1, trailing: 0.5)
    case .minimum: TuningParameters(leading: 0.25, trailing: 0.25)
    case .visibleOnly, .lowMemory: .zero
    }
  }

  /// The extent of the preload range.
  public var preload: TuningParameters {
    switch self {
    case .full: TuningParameters(leading: 2.5, trailing: 1.5)
    case .minimum: TuningParameters(leading: 0.5, trailing: 0.25)
    case .visibleOnly, .lowMemory: .zero
    }
  }
}

/// How far a range extends beyond the viewport, in viewports: Texture's `ASRangeTuningParameters`.
public struct TuningParameters: Equatable, Sendable {
  /// The extent in the direction of travel.
  public var leading: Double
  /// The extent against the direction of travel.
  public var trailing: Double

  public static let zero = TuningParameters(leading: 0, trailing: 0)

  public init(leading: Double, trailing: Double) {
    self.leading = leading
    self.trailing = trailing
  }
}
