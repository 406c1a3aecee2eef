import Buffers
import LayoutEngine

/// Reading a row: its reserved keys, its fields and its cell class.
extension RowBinder {
  /// The number of cell classes with whose names an unknown one is compared, because all rows of a batch can have one: 0.3 ms.
  private static let maxComparedNames = 50
  /// The number of cell classes that an error lists.
  private static let maxListedNames = 5

  /// Parses a row and finds its class. `JSONParser.padding` bytes behind `line` must be readable.
  public func read(_ line: ByteString) throws(CellError) {
    state.id = .empty
    state.cellName = .empty
    state.ownConstraint = nil
    state.row = .none
    guard line.count <= Lines.maxLength else {
      throw CellError("is longer than \(Lines.maxLength) bytes, the limit for a row")
    }
    let parsed = try parser.parse(line)
    guard parsed.isObject else { throw CellError("is \(parsed.kindName), but a row is an object") }
    let reserved = noteFields(parsed)
    if let value = reserved.id { state.id = try readID(value) }
    let row =
      if let layout = reserved.layout {
        BindableRow.compiled(try compileInline(layout), parsed, isInline: true)
      } else {
        try chooseClass(reserved.cell, parsed)
      }
    if let written = reserved.constrainedSize {
      do throws(CellError) { state.ownConstraint = try Self.readConstraint(written) } catch {
        throw error.within("constrainedSize")
      }
    }
    state.row = row
  }

  private struct Reserved {
    var id: JSONValue?
    var cell: JSONValue?
    var layout: JSONValue?
    var constrainedSize: JSONValue?
  }

  /// Passes the row's keys once: returns the values of reserved keys that are not null, and stores those of fields that
  /// templates use in their slots.
  private func noteFields(_ row: JSONValue) -> Reserved {
    var reserved = Reserved()
    for slot in 0..<state.slots.count { state.slots[slot] = nil }
    row.forEachMember { key, value in
      let slot = fieldSlots.number(of: key)
      if slot >= 0 { state.slots[Int(slot)] = value }
      // The last of duplicate keys is used, also if it is null.
      let stated = value.isNull ? nil : value
      switch key.count {
      case 2 where key == ByteString("id"): reserved.id = stated
      case 4 where key == ByteString("cell"): reserved.cell = stated
      case 6 where key == ByteString("layout"): reserved.layout = stated
      case 15 where key == ByteString("constrainedSize"): reserved.constrainedSize = stated
      default: break
      }
    }
    return reserved
  }

  private func readID(_ value: JSONValue) throws(CellError) -> ByteString {
    if let text = value.string { return text }
    state.idDigits.removeAll()
    switch value.kind {
    case .integer: state.idDigits.append(value.integer ?? 0)
    case .unsigned: state.idDigits.append(value.unsigned)
    case .double: throw Self.fractionalID(value.number ?? 0)
    default: throw wrongType(value, "a string or an integer").within("id")
    }
    return state.idDigits.finish()
  }

  /// Returns the error of an id such as 1.0, to which pandas turns the integers of a column that lacks some.
  private static func fractionalID(_ number: Double) -> CellError {
    let isInteger = number.magnitude < 0x1p53 && number.rounded() == number
    let remedy = isInteger ? "write \(Int(number)) or \"\(Int(number))\"" : "write it in quotes"
    return CellError("is the number \(number), but must be a string or an integer; \(remedy)").within("id")
  }

  private func chooseClass(_ cell: JSONValue?, _ row: JSONValue) throws(CellError) -> BindableRow {
    if let name = cell?.string, let make = cells.make(named: name) {
      state.cellName = name
      return .custom(try makeCell(make, row), layout: nil)
    }
    guard let cell else {
      guard program.cells.count == 1 else {
        throw CellError(
          program.cells.isEmpty
            ? "needs a layout, as the cells file has no cell classes"
            : "needs a cell: the cells file has \(program.cells.count) cell classes")
      }
      state.cellName = program.cells[0].name
      return .compiled(program.cells[0], row, isInline: false)
    }
    guard let name = cell.string else { throw wrongType(cell, "the name of a cell class").within("cell") }
    guard let known = program.cell(named: name) else { throw unknownCell(name.excerpt) }
    state.cellName = known.name
    return .compiled(known, row, isInline: false)
  }

  /// Returns the error of a name that no class has, with a similar one or some of those that there are.
  private func unknownCell(_ written: String) -> CellError {
    let others = cells.names
    let names = program.cells.prefix(Self.maxComparedNames).map(\.name.string) + others.prefix(Self.maxComparedNames)
    var remedy = didYouMean(written, among: names)
    if remedy.isEmpty, !names.isEmpty {
      let count = program.cells.count + others.count
      let listed = names.prefix(Self.maxListedNames).map(\.excerpt).joined(separator: ", ")
      let more = count > Self.maxListedNames ? " and \(count - Self.maxListedNames) more" : ""
      remedy = "; there \(count == 1 ? "is" : "are") \(listed)\(more)"
    }
    return CellError("cell \"\(written)\" is not in the cells file\(remedy)")
  }

  private func compileInline(_ layout: JSONValue) throws(CellError) -> CellClass {
    inline.pointee.removeAll()
    return try inline.pointee.compile(layout)
  }

  private static func readConstraint(_ value: JSONValue) throws(CellError) -> SizeRange {
    let reader = WrittenValues.reader
    func side(_ key: StaticString, _ fallback: Size) throws(CellError) -> Size {
      guard let written = value.member(key), !written.isNull else { return fallback }
      let pair = try reader.within("\(key)") { () throws(CellError) in
        try reader.pair(written, "[width, height]") { (part) throws(CellError) in
          guard let length = try reader.number(part, infinite: true), length >= 0 else {
            throw CellError("must not be negative")
          }
          return length
        }
      }
      return pair.map { Size($0.0, $0.1) } ?? fallback
    }
    guard value.isObject else { throw wrongType(value, "{min: [w, h], max: [w, h]}") }
    try value.forEachMember { (key, _) throws(CellError) in
      guard ["min", "max"].contains(key.string) else {
        throw CellError("is not a part of a range, which has min and max").within(key.string)
      }
    }
    let range = SizeRange(min: try side("min", .zero), max: try side("max", .unbounded))
    guard range.min.width <= range.max.width, range.min.height <= range.max.height else {
      throw CellError("has a min larger than its max")
    }
    guard isFinite(range.min) else { throw CellError("has an infinite min") }
    return range
  }

  private static func isFinite(_ size: Size) -> Bool { size.width.isFinite && size.height.isFinite }
}
