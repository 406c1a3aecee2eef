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
    // Texture draws a ratio in the place of the debug name.
    let name = "AS" + label(of: index, id: type == .ratio ? "" : id(of: index))
    return type == .stack && element.stack.direction == .vertical
      ? AsciiArt.verticalBox(children, name: name) : AsciiArt.horizontalBox(children, name: name)
  }

  /// Returns an element's class without its prefix, its id, and the ratio of a ratio spec.
  public func label(of index: Int32) -> String { label(of: index, id: id(of: index)) }

  private func label(of index: Int32, id: String) -> String {
    let type = type(of: index)
    var name = String(CellFormat.elements[Int(type.rawValue)].className.prefix { $0 != "," }.dropFirst("AS".count))
    if !id.isEmpty { name += " (\(id))" }
    if type == .ratio { name += " (\(AsciiArt.oneDecimal(state.tree.elements[Int(index)].ratio)))" }
    return name
  }
}
