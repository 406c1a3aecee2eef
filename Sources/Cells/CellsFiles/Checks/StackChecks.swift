/// Checks for properties of stacks, and for elements in stacks, that have no effect.
enum StackChecks {
  /// Returns the warnings about the properties of a stack, each with its key.
  static func warnings(_ stack: SourceNode, _ around: Surroundings) -> [(key: String, message: String)] {
    var found: [(key: String, message: String)] = []
    if let message = idleJustification(stack, around) { found.append(("justifyContent", message)) }
    if stack["flexWrap"].map({ $0.isString("noWrap") }) ?? true {
      for key in ["alignContent", "lineSpacing"] where stack[key] != nil {
        found.append((key, "has no effect on a stack of one line; give the stack flexWrap: wrap"))
      }
    }
    return found
  }

  /// Returns the warnings about a justifyContent and an alignItems that an alignment by direction replaces, each with its key
  /// (layout-semantics 5).
  static func replacedAlignments(_ stack: SourceNode) -> [(key: String, message: String)] {
    if stack["direction"]?.dependsOnRow ?? false { return [] }
    let isVertical = stack["direction"]?.isString("vertical") ?? false
    let (horizontal, vertical) = isVertical ? ("alignItems", "justifyContent") : ("justifyContent", "alignItems")
    var found: [(key: String, message: String)] = []
    for (key, other) in [(horizontal, "horizontalAlignment"), (vertical, "verticalAlignment")] where stack[key] != nil {
      guard let alignment = stack[other], !alignment.dependsOnRow, !alignment.isString("none") else { continue }
      found.append((key, "has no effect: \(other) replaces it in this stack; leave one of the two out"))
    }
    return found
  }

  /// Returns a warning about a justifyContent in a stack that is only as long as its children.
  private static func idleJustification(_ stack: SourceNode, _ around: Surroundings) -> String? {
    guard let written = stack["justifyContent"], !written.isString("start"),
      let direction = stack["direction"].map(\.text) ?? "horizontal", !direction.contains("{"),
      !replacedAlignments(stack).contains(where: { $0.key == "justifyContent" })
    else { return nil }
    let own = around.styled(stack, "stack")
    let along = direction == "vertical" ? own.height : own.width
    if along.hasMinimum || along.canShrink { return nil }
    // Children that are longer than the stack are justified too, but not with spaceBetween (layout-semantics 5.9).
    if along.isBounded && !written.isString("spaceBetween") { return nil }
    let (length, property) = direction == "vertical" ? ("high", "height") : ("wide", "width")
    return "has no effect: the stack is only as \(length) as its children; give it a \(property), "
      + (around.parent == "stack" ? "flexGrow or alignSelf: stretch" : "or a parent that it fills")
  }

  /// Returns a warning about a center in a stack that is only as large as its child, so that nothing is centred.
  static func idleCentering(_ center: SourceNode, _ around: Surroundings) -> String? {
    guard around.parent == "stack" else { return nil }
    let centering = center["centering"]?.text ?? "xy"
    let sizing = center["sizing"]?.text ?? "default"
    if centering.contains("{") || sizing.contains("{") || center["centering"].map({ $0.text == nil }) == true {
      return nil
    }
    let own = around.styled(center, "center")
    func centres(_ axis: String, _ range: AxisRange) -> Bool {
      let isMinimal = sizing.hasPrefix("minimum") && sizing.contains(axis.uppercased())
      return centering.contains(axis) && (range.hasMinimum || range.isBounded && !isMinimal)
    }
    guard centering != "none", !centres("x", own.width), !centres("y", own.height) else { return nil }
    return
      "has no effect: in this stack it is only as large as its child; give it flexGrow or a size, or use the stack's "
      + "justifyContent and alignItems"
  }

  /// Returns a warning about a scroll node that has no length along or across its stack, because that has none.
  static func emptyScroll(_ around: Surroundings) -> String? {
    guard around.parent == "stack", around.isDirectionKnown else { return nil }
    guard around.along(around.range).hasMinimum || around.along(around.knowsParent) else {
      return "has no \(around.lengthName) in this stack, which has none of its own; give it a flexBasis"
    }
    guard around.across(around.range).hasMinimum || around.across(around.knowsParent) else {
      let name = around.isVertical ? "width" : "height"
      return "has no \(name) in this stack, which has none of its own; give it a \(name)"
        + (around.isStretched ? "" : " and alignSelf: stretch")
    }
    return nil
  }

  /// Returns a warning about a spacer without a length.
  static func emptySpacer(_ spec: SourceNode, _ around: Surroundings) -> String? {
    guard around.parent == "stack", around.isDirectionKnown else { return nil }
    let along = around.along(around.styled(spec, "spec"))
    let takesRoom = ["flexGrow", "spacingBefore", "spacingAfter"].contains { spec["style"]?[$0] != nil }
    guard !along.hasMinimum, !takesRoom else { return nil }
    return "takes no room: a spacer needs flexGrow or a \(around.lengthName)"
  }
}
