import Buffers

/// Properties of bound elements that are written to the frame table or to messages.
extension RowBinder {
  private func template(of element: Int32) -> TemplateElement { template(state.elements[Int(element)].template) }

  private func template(_ index: Int32) -> TemplateElement {
    state.row.usesProgramTemplates
      ? program.templates.elements[Int(index)] : inline.pointee.templates.elements[Int(index)]
  }

  public func type(of element: Int32) -> ElementType { template(of: element).type }

  /// Returns an element's `id` as it is written, or an empty string.
  public func id(of element: Int32) -> String { template(of: element).name.string }

  /// Returns the path of an element in the cells file: `layout`, `children`, `2`.
  public func path(of element: Int32) -> [String] {
    if state.row.isCustom { return specs.path(of: Int(element)) }
    return path(ofTemplate: state.elements[Int(element)].template)
  }

  func path(ofTemplate index: Int32) -> [String] {
    state.row.usesProgramTemplates ? program.templates.path(of: index) : inline.pointee.templates.path(of: index)
  }

  /// Appends an element's name in the frame table. The name is the element's id and, inside `forEach`, the items' numbers;
  /// for an element without an id it is the type and the node's index in the cell. The content of a scroll node has `.content`
  /// after the id of the node.
  public func appendName(of element: Int32, index: Int, to bytes: inout FlatBuffer<UInt8>) {
    let template = template(of: element)
    // The content of a scroll node is named after the node.
    let isContent = template.isSynthetic && template.type == .node
    let name = isContent ? self.template(template.parent).name : template.name
    guard name.isEmpty else {
      bytes.append(contentsOf: name.bytes)
      if isContent { bytes.append(contentsOf: ByteString(".content").bytes) }
      for number in state.elements[Int(element)].suffix.range {
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: Int(state.suffixes[number]))
      }
      return
    }
    bytes.append(contentsOf: template.type.nameBytes.bytes)
    bytes.append(UInt8(ascii: "#"))
    bytes.append(decimal: index)
  }

  /// Returns the paths of all elements of each cell class of a program, from `layout` down, which `galley check` compares
  /// with those that rows have.
  public static func elementPaths(of program: CellProgram) -> [(cell: String, path: [String])] {
    program.cells.flatMap { cell in
      (cell.root..<program.templates.elements[Int(cell.root)].end).compactMap { index in
        program.templates.elements[Int(index)].isSynthetic
          ? nil : (cell.name.string, program.templates.path(of: index))
      }
    }
  }
}
