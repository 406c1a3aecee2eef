import CICU

/// The iterators of ICU for lines. Each is opened for the first text that needs it.
struct LineIterators: ~Copyable {
  /// The iterator of each kind by its raw value.
  private var iterators = InlineArray<8, OpaquePointer?>(repeating: nil)

  deinit {
    for kind in iterators.indices { galley_breaks_close(iterators[kind]) }
  }

  /// Returns the iterator of a kind, or nil if the data of ICU are missing.
  mutating func iterator(_ kind: galley_breaks_kind) -> OpaquePointer? {
    let index = Int(kind.rawValue)
    if iterators[index] == nil { iterators[index] = galley_breaks_open(kind) }
    return iterators[index]
  }
}
