/// The interface states of a list's rows during a scroll, with the callbacks that Texture sends to the nodes of the rows.
///
/// A tracker is updated with each query of a scroll. It returns the callbacks that lead from the states at the last query
/// to those at this one, so that an application can load and release what the rows need (layout-semantics 9).
///
/// ```swift
/// var tracker = InterfaceStateTracker(planner)
/// for event in tracker.update(query) { print(event.row, event.callback) }
/// ```
///
/// The order of the rows is that of `ASRangeController`: the visible rows, the others to display, the others to preload, and
/// at last the rows that have left all ranges. Within each group rows ascend; Texture has them in the order of a hash table.
/// A row of height 0 has no states.
public struct InterfaceStateTracker: Sendable {
  private let planner: PrefetchPlanner
  private var states = InterfaceStates()

  /// Creates the tracker of a list that was not shown yet, so that no row has a state.
  public init(_ planner: PrefetchPlanner) { self.planner = planner }

  /// Returns the callbacks that a query causes, in their order. The cost is that of the query and of the rows in its
  /// ranges and in those of the last query.
  public mutating func update(_ query: PrefetchQuery) -> [InterfaceStateEvent] {
    let old = states
    states = InterfaceStates(planner.answer(query), query)
    let left = old.rowsByUrgency.filter { states[$0].isEmpty }.sorted()
    var events: [InterfaceStateEvent] = []
    for row in states.rowsByUrgency + left where planner.hasLength(row) {
      for callback in InterfaceStateCallback.callbacks(from: old[row], to: states[row]) {
        events.append(InterfaceStateEvent(row: row, callback: callback))
      }
    }
    return events
  }
}

/// A callback that Texture sends to the node of a row when its interface state changes.
public struct InterfaceStateEvent: Equatable, Sendable {
  public let row: Int
  public let callback: InterfaceStateCallback
}

/// The callbacks of Texture's `ASInterfaceStateDelegate`.
public enum InterfaceStateCallback: String, CaseIterable, Sendable {
  case didEnterPreloadState, didExitPreloadState
  case didEnterDisplayState, didExitDisplayState
  case didEnterVisibleState, didExitVisibleState

  /// Returns the callbacks of a change. As in `ASDisplayNode`, they are in the order preload, display, visible, whether a
  /// state is entered or exited.
  static func callbacks(from old: InterfaceState, to new: InterfaceState) -> [InterfaceStateCallback] {
    guard old != new else { return [] }
    let states: [(InterfaceState, enter: InterfaceStateCallback, exit: InterfaceStateCallback)] = [
      (.preload, .didEnterPreloadState, .didExitPreloadState), (.display, .didEnterDisplayState, .didExitDisplayState),
      (.visible, .didEnterVisibleState, .didExitVisibleState),
    ]
    return states.compactMap { state, enter, exit in
      guard old.contains(state) != new.contains(state) else { return nil }
      return new.contains(state) ? enter : exit
    }
  }
}
