/// The keys that were used last, up to a number of them.
struct RecentlyUsed<Key: Equatable> {
  private let limit: Int
  /// In the order of their last use.
  private var keys: [Key] = []

  init(limit: Int) { self.limit = limit }

  /// Records the use of a key. If there are too many keys, removes and returns the least recently used one.
  mutating func use(_ key: Key) -> Key? {
    guard keys.last != key else { return nil }
    remove(key)
    keys.append(key)
    return keys.count > limit ? keys.removeFirst() : nil
  }

  mutating func remove(_ key: Key) {
    if let index = keys.lastIndex(of: key) { keys.remove(at: index) }
  }
}
