import CHarfBuzz

/// A feature of a font, such as small capitals (`smcp`). CSS: `font-feature-settings`.
public struct FontFeature: Hashable, Sendable {
  /// The four letters of the feature, such as `smcp`, as a big-endian number.
  public var tag: UInt32
  /// The value: 0 is off and 1 on, and a larger number chooses one of several alternates.
  public var value: UInt32

  /// Creates a feature.
  public init(tag: UInt32, value: UInt32) {
    self.tag = tag
    self.value = value
  }
}

/// The features that the faces of a book state, each list once. The first one is empty.
///
/// The book owns the memory.
struct FontFeatures {
  private var lists: [UnsafeBufferPointer<hb_feature_t>] = [UnsafeBufferPointer(start: nil, count: 0)]

  /// The most features of a face.
  static let maxCount = 16

  /// Returns the number of a list of features.
  mutating func number(of features: [FontFeature]) -> Int32 {
    let known = lists.firstIndex { $0.elementsEqual(features) { $0.tag == $1.tag && $0.value == $1.value } }
    if let known { return Int32(known) }
    precondition(lists.count <= ShapingContext.maxFeatures && features.count <= Self.maxCount)
    let list = UnsafeMutableBufferPointer<hb_feature_t>.allocate(capacity: features.count)
    _ = list.initialize(
      fromContentsOf: features.map { hb_feature_t(tag: $0.tag, value: $0.value, start: 0, end: UInt32.max) })
    lists.append(UnsafeBufferPointer(list))
    return Int32(lists.count - 1)
  }

  @inline(__always)
  subscript(number: Int) -> UnsafeBufferPointer<hb_feature_t> { lists[number] }

  /// Returns whether a list has a feature for the width of East Asian punctuation, such as `palt` and `halt`.
  func changeSpacing(_ number: Int) -> Bool {
    lists[number].contains { $0.value > 0 && Self.spacing.contains($0.tag) }
  }

  private static let spacing = ["palt", "halt", "chws"].map(tag)

  func destroy() {
    for list in lists { list.deallocate() }
  }
}
