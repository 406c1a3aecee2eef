import CICU

/// The iterators of ICU for lines. Each is opened for the first text that needs it.
struct LineIterators: ~Copyable {
  private var root: OpaquePointer?
  private var normal: OpaquePointer?
  private var strict: OpaquePointer?
  private var loose: OpaquePointer?
  private var eastAsian: OpaquePointer?
  private var looseEastAsian: OpaquePointer?

  deinit {
    for iterator in [root, normal, strict, loose, eastAsian, looseEastAsian] { galley_breaks_close(iterator) }
  }

  /// Returns the iterator of a kind, or nil if the data of ICU are missing.
  mutating func iterator(_ kind: galley_breaks_kind) -> OpaquePointer? {
    switch kind {
    case galley_breaks_root_lines: Self.opened(&root, kind)
    case galley_breaks_lines: Self.opened(&normal, kind)
    case galley_breaks_strict_lines: Self.opened(&strict, kind)
    case galley_breaks_loose_lines: Self.opened(&loose, kind)
    case galley_breaks_cj_lines: Self.opened(&eastAsian, kind)
    default: Self.opened(&looseEastAsian, kind)
    }
  }

  private static func opened(_ iterator: inout OpaquePointer?, _ kind: galley_breaks_kind) -> OpaquePointer? {
    if iterator == nil { iterator = galley_breaks_open(kind) }
    return iterator
  }
}
