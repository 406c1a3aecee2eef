extension LayoutElement {
  /// The drawing of the element with characters (layout-semantics 7). A node with a layout spec is a box around the spec that
  /// it returns for `SizeRange.unconstrained`; another node is its name. Texture: `asciiArtString`.
  public var asciiArtString: String {
    guard let spec = self as? any LayoutSpec else {
      let node = self as? DisplayNode
      let name = node?.className ?? asyncDisplayKitName(of: type(of: self))
      let named = node.flatMap { $0.name.isEmpty ? nil : "\(name) (\($0.name))" } ?? name
      guard let layout = node?.layoutSpecThatFits(.unconstrained) else { return named }
      return AsciiArt.horizontalBox([layout.asciiArtString], name: named)
    }
    let children = spec.children.map(\.asciiArtString)
    var name = asyncDisplayKitName(of: type(of: spec))
    if let ratio = spec as? RatioLayoutSpec { name += " (\(AsciiArt.oneDecimal(ratio.ratio)))" }
    let isVertical = (spec as? StackLayoutSpec)?.options.direction == .vertical
    return isVertical
      ? AsciiArt.verticalBox(children, name: name) : AsciiArt.horizontalBox(children, name: name)
  }
}

extension DisplayNode {
  /// The name of the class in AsyncDisplayKit, or of a class of one's own.
  var className: String {
    type == .node ? asyncDisplayKitName(of: Swift.type(of: self)) : "AS\("\(type)".capitalizedFirst)Node"
  }
}

extension CellNode {
  /// The drawing of the cell with characters: a box around the spec that it returns for `SizeRange.unconstrained`
  /// (layout-semantics 7). Texture: `asciiArtString`.
  public var asciiArtString: String {
    AsciiArt.horizontalBox([layoutSpecThatFits(.unconstrained).asciiArtString], name: "\(type(of: self))")
  }
}

/// Returns the name of a type, with the prefix `AS` if it is one of this module.
private func asyncDisplayKitName(of type: Any.Type) -> String {
  let name = (type as? any LayoutSpec.Type)?.name ?? "\(type)"
  return String(reflecting: type).hasPrefix("LayoutEngine.") ? "AS\(name)" : name
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
