import LayoutEngine

extension RowBinder {
  /// The bound row's layout spec as Texture draws it, with the ids of nodes as their debug names.
  public func asciiArt() -> String { asciiArt(of: 0) }

  private func asciiArt(of index: Int32) -> String {
    let element = tree.elements[Int(index)]
    var children: [String] = []
    var child = index + 1
    while child < element.end {
      children.append(asciiArt(of: child))
      child = tree.elements[Int(child)].end
    }
    let type = type(of: index)
    // A node stands for itself, whatever layout spec it has.
    if type.isNode && index > 0 { children = [] }
    let name = asciiArtName(of: index, type, element)
    return type == .stack && element.stack.direction == .vertical
      ? AsciiArt.verticalBox(children, name: name) : AsciiArt.horizontalBox(children, name: name)
  }

  private func asciiArtName(of index: Int32, _ type: ElementType, _ element: Element) -> String {
    let first = type.name.prefix(1).uppercased() + type.name.dropFirst()
    var name = type == .spec ? "LayoutSpec" : type.isNode ? "\(first)Node" : "\(first)LayoutSpec"
    if type == .node { name = "DisplayNode" }
    let id = id(of: index)
    if !id.isEmpty { name += " (\(id))" }
    if type == .ratio { name += " (\(AsciiArt.oneDecimal(element.ratio)))" }
    return name
  }

  /// An element's class and id, as in the drawing.
  public func label(of index: Int32) -> String {
    asciiArtName(of: index, type(of: index), tree.elements[Int(index)])
  }
}
