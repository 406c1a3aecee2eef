import Buffers

/// A record of which fields of a cells file rows have. `galley check` warns about fields that no row has.
public struct FieldUse {
  /// A field that the cells file reads.
  public struct Field {
    public let name: String
    /// The first element that reads it, from the cell class down.
    public let path: [String]
    /// Words that name a field of the rows that the author may have meant, or none.
    public let suggestion: String
  }

  private let program: CellProgram
  private var isPresent: [Bool]
  private var keys: Set<String> = []
  private var cells: Set<String> = []
  private static let maxKeys = 10_000

  public init(_ program: CellProgram) {
    self.program = program
    isPresent = [Bool](repeating: false, count: program.templates.paths.count)
  }

  /// Notes the fields of the row that a binder has read.
  public mutating func note(_ binder: RowBinder) {
    guard binder.state.row.usesProgramTemplates, let row = binder.state.row.compiled?.row else { return }
    cells.insert(binder.cellName.string)
    row.forEachMember { key, _ in if keys.count < Self.maxKeys { keys.insert(key.string) } }
    for index in isPresent.indices where !isPresent[index] && hasValue(Int32(index), row) { isPresent[index] = true }
  }

  /// The fields that no row has, of those cell classes that rows use.
  public var absentFields: [Field] {
    var found: [Field] = []
    for (index, present) in isPresent.enumerated() where !present {
      let path = program.templates.paths[index]
      guard let cell = cell(of: path.element), cells.contains(cell) else { continue }
      let field = Field(
        name: path.written.string, path: ["cells", cell] + program.templates.path(of: path.element),
        suggestion: didYouMean(path.written.string, among: keys))
      if !found.contains(where: { $0.name == field.name && $0.path == field.path }) { found.append(field) }
    }
    return found
  }

  private func cell(of element: Int32) -> String? {
    program.cells.first { element >= $0.root && element < program.templates.elements[Int($0.root)].end }?.name.string
  }

  private func hasValue(_ path: Int32, _ row: JSONValue) -> Bool {
    var found = false
    forEachValue(of: path, row) { _ in found = true }
    return found
  }

  /// Calls `body` for each value at a path. There are several values if the path starts at the items of a `forEach`.
  private func forEachValue(of index: Int32, _ row: JSONValue, _ body: (JSONValue) -> Void) {
    let path = program.templates.paths[Int(index)]
    func follow(_ value: JSONValue?) {
      if let value, let found = program.templates.value(at: path.components, within: value) { body(found) }
    }
    switch path.root {
    case .slot(let slot): follow(row.member(program.slots[Int(slot)]))
    case .field(let key): follow(row.member(key))
    case .constraint, .text: body(row)
    case .item(let depth):
      let loop = program.templates.loops(from: path.loop)[Int(depth)]
      forEachValue(of: program.templates.loops[Int(loop)].path, row) { array in
        array.forEachElement { _, item in follow(item) }
      }
    }
  }
}
