import LayoutEngine

/// What a whole cell determines for each of its elements.
struct CellTraits {
  let generation: LayoutGeneration
  /// Whether any stack of the cell aligns its children by baselines, or may do so for some rows.
  let alignsBaselines: Bool

  init(_ layout: SourceNode, _ generation: LayoutGeneration) {
    self.generation = generation
    alignsBaselines = layout.elements(at: []).contains { element, _ in
      guard let alignment = element["alignItems"] else { return element["baselineRelativeArrangement"] != nil }
      return alignment.text.map { $0.contains("{") || $0.hasPrefix("baseline") } ?? true
    }
  }
}

extension SourceNode {
  /// Returns the element and all elements inside it, with their paths.
  ///
  /// - Parameter path: The path of this element.
  func elements(at path: [String]) -> [(element: SourceNode, path: [String])] {
    [(self, path)] + children.flatMap { $0.element.elements(at: path + $0.path) }
  }

  /// The elements that an element contains, with their paths inside it and their roles.
  var children: [(element: SourceNode, path: [String], role: String)] {
    var found: [(element: SourceNode, path: [String], role: String)] = []
    for key in ["child", "overlay", "background", "corner", "layout"] {
      if let child = self[key], case .mapping = child { found.append((child, [key], key)) }
    }
    return found
      + list(of: "children").enumerated().map { index, child in (child, ["children", "\(index)"], "children") }
  }
}
