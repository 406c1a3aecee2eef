/// The interface state of a row: Texture's `ASInterfaceState`.
struct InterfaceState: OptionSet {
  let rawValue: UInt8

  static let preload = InterfaceState(rawValue: 1)
  static let display = InterfaceState(rawValue: 2)
  static let visible = InterfaceState(rawValue: 4)
}

/// The rows of a list that have interface states.
struct InterfaceStates {
  private let visible, display, preload: RowRanges

  /// The states of a list that was not shown yet.
  init() {
    visible = .none
    display = .none
    preload = .none
  }

  /// Sets the states by the rules of `ASRangeController`.
  ///
  /// A visible row has all states, also in the mode lowMemory. In a list that is in no window, no row is visible: the rows
  /// in its viewport have the state display, and those that would be displayed have the state preload.
  init(_ answer: PrefetchAnswer, _ query: PrefetchQuery) {
    let isLow = query.mode == .lowMemory
    if query.isHidden {
      visible = .none
      display = isLow ? .none : answer.visible
      preload = isLow ? answer.visible : answer.display
    } else {
      visible = answer.visible
      display = isLow ? answer.visible : answer.display
      preload = isLow ? answer.visible : answer.preload
    }
  }

  subscript(row: Int) -> InterfaceState {
    var state: InterfaceState = []
    if preload.contains(row) { state.insert(.preload) }
    if display.contains(row) { state.insert(.display) }
    if visible.contains(row) { state.insert(.visible) }
    return state
  }

  /// The visible rows, then the others to display, then the others to preload.
  var rowsByUrgency: [Int] {
    let visible = visible.ranges
    let others = display.ranges.subtracting(visible)
    let further = preload.ranges.subtracting(visible).subtracting(display.ranges)
    return (visible + others + further).flatMap { $0 }
  }
}
