extension LayoutElement {
  /// The drawing of the element with characters (layout-semantics 7). A node with a layout spec is a box around the spec that
  /// it returns for `SizeRange.unconstrained`; another node is its name. Texture: `asciiArtString`.
  public var asciiArtString: String {
    guard let spec = self as? any LayoutSpec else {
      let node = self as? DisplayNode
      let name = node?.className ?? "\(type(of: self))"
      let named = node.flatMap { $0.name.isEmpty ? nil : "\(name) (\($0.name))" } ?? name
      guard let layout = node?.layoutSpecThatFits(.unconstrained) else { return named }
      return AsciiArt.horizontalBox([layout.asciiArtString], name: named)
    }
    let children = spec.children.map(\.asciiArtString)
    var name = type(of: spec).name
    if let ratio = spec as? RatioLayoutSpec { name += " (\(AsciiArt.oneDecimal(ratio.ratio)))" }
    let isVertical = (spec as? StackLayoutSpec)?.options.direction == .vertical
    return isVertical
      ? AsciiArt.verticalBox(children, name: name) : AsciiArt.horizontalBox(children, name: name)
  }
}

extension DisplayNode {
  /// The name of the class in AsyncDisplayKit without its prefix.
  var className: String {
    if type == .node { return "\(Swift.type(of: self))" }
    let name = "\(type)"
    return name.prefix(1).uppercased() + name.dropFirst() + "Node"
  }
}
