import CHarfBuzz

/// A set of numbers of glyphs, lookups or characters.
final class NumberSet: Sequence {
  let set = hb_set_create()

  init(_ values: [hb_codepoint_t] = []) {
    for value in values { hb_set_add(set, value) }
  }

  deinit { hb_set_destroy(set) }

  var count: Int { Int(hb_set_get_population(set)) }

  func contains(_ value: hb_codepoint_t) -> Bool { hb_set_has(set, value) != 0 }

  func copy() -> NumberSet {
    let result = NumberSet()
    hb_set_set(result.set, set)
    return result
  }

  func union(_ other: NumberSet) -> NumberSet {
    let result = copy()
    hb_set_union(result.set, other.set)
    return result
  }

  func intersection(_ other: NumberSet) -> NumberSet {
    let result = copy()
    hb_set_intersect(result.set, other.set)
    return result
  }

  /// Returns the numbers in ascending order.
  func makeIterator() -> some IteratorProtocol<hb_codepoint_t> {
    sequence(state: hb_codepoint_t.max) { value in hb_set_next(self.set, &value) != 0 ? value : nil }
  }
}
