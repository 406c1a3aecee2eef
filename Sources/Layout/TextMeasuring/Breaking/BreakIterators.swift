import CICU

/// The break iterators of ICU. Each is opened for the first text that needs it.
struct BreakIterators: ~Copyable {
  /// The iterator of each kind by its raw value.
  private var iterators = InlineArray<8, OpaquePointer?>(repeating: nil)

  deinit {
    for kind in iterators.indices { galley_breaks_close(iterators[kind]) }
  }

  /// Calls a function with the offsets of the boundaries in a text, in ascending order. There are none if the data of ICU are missing.
  @inline(__always)
  mutating func forEachBoundary(
    _ kind: galley_breaks_kind, _ units: UnsafePointer<UInt16>, _ count: Int, _ body: (Int) -> Void
  ) {
    let index = Int(kind.rawValue)
    if iterators[index] == nil { iterators[index] = galley_breaks_open(kind) }
    guard let iterator = iterators[index],
      galley_breaks_set_text(iterator, units, Int32(truncatingIfNeeded: count))
    else { return }
    while true {
      let boundary = galley_breaks_next(iterator)
      if boundary < 0 { return }
      body(Int(boundary))
    }
  }
}
