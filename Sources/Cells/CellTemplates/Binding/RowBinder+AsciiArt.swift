import LayoutEngine

extension RowBinder {
  /// Returns the bound row's layout spec as Texture draws it, with the ids of nodes as their debug names.
  public func asciiArt() -> String { asciiArt(of: 0) }

  private func asciiArt(of index: Int32) -> String {
    let element = state.tree.elements[Int(index)]
    var children: [String] = []
    var child = index + 1
    while child < element.end {
      children.append(asciiArt(of: child))
      child = state.tree.elements[Int(child)].end
    }
    let type = type(of: index)
    // A node is drawn without its own layout spec.
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

  /// Returns an element's class and id, as they are in the drawing.
  public func label(of index: Int32) -> String {
    asciiArtName(of: index, type(of: index), state.tree.elements[Int(index)])
  }
}
