import Buffers
import LayoutEngine

/// What frames need to know of the elements they belong to.
extension RowBinder {
  private func template(of element: Int32) -> TemplateElement {
    let index = Int(elements[Int(element)].template)
    return isInline ? inline.templates.elements[index] : program.templates.elements[index]
  }

  public func type(of element: Int32) -> ElementType { template(of: element).type }

  /// An element's `id` as written, or "".
  public func id(of element: Int32) -> String { template(of: element).name.string }

  /// Whether an element shows something fetched, and so must not end without a size.
  public func needsSize(_ element: Int32) -> Bool { template(of: element).type.needsSize }

  /// Where an element stands: `layout.children[2]`.
  public func path(of element: Int32) -> [String] {
    if cell != nil { return specs.path(of: Int(element)) }
    return path(ofTemplate: elements[Int(element)].template)
  }

  func path(ofTemplate index: Int32) -> [String] {
    isInline ? inline.templates.path(of: index) : program.templates.path(of: index)
  }

  /// Appends an element's name in the frame table: its id and, inside `forEach`, the items' numbers; without an id
  /// its type and its place among the cell's nodes.
  public func appendName(of element: Int32, place: Int, to bytes: inout FlatBuffer<UInt8>) {
    let template = template(of: element)
    guard template.name.isEmpty else {
      bytes.append(contentsOf: template.name.bytes)
      for number in elements[Int(element)].suffix.range {
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: Int(suffixes[number]))
      }
      return
    }
    bytes.append(contentsOf: template.type.nameBytes.bytes)
    bytes.append(UInt8(ascii: "#"))
    bytes.append(decimal: place)
  }
}

extension FlatBuffer where Element == UInt8 {
  /// Appends a number from 0 in decimal.
  public mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}

/// What `check` asks.
extension RowBinder {
  /// Paths of all elements of a cell class, `layout` first.
  public static func elementPaths(of program: CellProgram) -> [(cell: String, path: [String])] {
    program.cells.flatMap { cell in
      (cell.root..<program.templates.elements[Int(cell.root)].end).compactMap { index in
        program.templates.elements[Int(index)].isSynthetic
          ? nil : (cell.name.string, program.templates.path(of: index))
      }
    }
  }
}
