/// Checks for nodes that will have no size.
enum SizeChecks {
  private static let withoutIntrinsicSize = ["node", "networkImage", "multiplexImage", "video", "videoPlayer"]

  /// Returns a warning about a node that has no size of its own and receives none from its parent. Such a node fills
  /// room that is bounded in both directions, and is as small as possible in any other room.
  static func missingSize(of element: SourceNode, _ type: String, _ around: Surroundings) -> String? {
    guard withoutIntrinsicSize.contains(type) || type == "image" && element["imageSize"] == nil,
      element["layout"] == nil, element["calculatedSize"] == nil, element["defaultImageSize"] == nil,
      element["style"]?["preferredFrameSize"] == nil
    else { return nil }
    let range = around.styled(element, type)
    if range.width.isBounded && range.height.isBounded { return nil }
    var missing = (width: !range.width.hasMinimum, height: !range.height.hasMinimum)
    // A plain node may be a spacer, which has a length only along its stack.
    if type == "node" && around.parent == "stack" {
      if around.isVertical { missing.width = false } else { missing.height = false }
    }
    guard missing.width || missing.height else { return nil }
    let lengths = missing.width && missing.height ? "width and height" : missing.width ? "width" : "height"
    return "has no \(lengths) of its own in \(around.parent.map { "this \($0)" } ?? "the cell"); "
      + (type == "image" ? "give it an imageSize" : remedy(missing, lengths, around))
  }

  /// Returns a warning about flexGrow in a stack that is unbounded along its main axis: there is no room to share.
  static func idleGrowth(_ around: Surroundings) -> String? {
    guard around.parent == "stack", !around.hasStackLength else { return nil }
    let length = around.lengthName
    return "has no effect: the stack has no \(length) of its own to share; give the stack a \(length) or min"
      + "\(around.isVertical ? "Height" : "Width")"
  }

  private static func remedy(
    _ missing: (width: Bool, height: Bool), _ lengths: String, _ around: Surroundings
  ) -> String {
    // The styles of AsyncDisplayKit 1.9 have no other sizes.
    if around.cell.generation == .first { return "give its style preferredFrameSize, or put it into a ratio" }
    let along = around.isVertical ? missing.height : missing.width
    if around.parent == "stack" && along && around.hasStackLength {
      return "give its style \(lengths), preferredSize or flexGrow, or put it into a ratio"
    }
    return "give its style \(lengths) or preferredSize, or put it into a ratio"
  }
}
