extension LayoutElementStyle {
  /// The properties that differ from their defaults, in the notation of a cells file: `width: 44pt, flexGrow: 1.0`.
  public var written: String {
    var parts: [String] = []
    for (name, dimension) in [
      ("width", width), ("height", height), ("minWidth", minWidth), ("minHeight", minHeight), ("maxWidth", maxWidth),
      ("maxHeight", maxHeight), ("flexBasis", flexBasis),
    ] where dimension.unit != .auto {
      parts.append("\(name): \(dimension)")
    }
    for (name, number) in [
      ("spacingBefore", spacingBefore), ("spacingAfter", spacingAfter), ("flexGrow", flexGrow),
      ("flexShrink", flexShrink), ("ascender", ascender), ("descender", descender),
    ] where number != 0 {
      parts.append("\(name): \(number)")
    }
    if alignSelf != .auto { parts.append("alignSelf: \(alignSelf)") }
    if layoutPosition != .zero { parts.append("layoutPosition: [\(layoutPosition.x), \(layoutPosition.y)]") }
    if sizeRange != .unconstrained {
      parts.append(
        "sizeRange: {min: [\(sizeRange.minWidth), \(sizeRange.minHeight)], max: [\(sizeRange.maxWidth), "
          + "\(sizeRange.maxHeight)]}")
    }
    return parts.joined(separator: ", ")
  }
}
