import CellTemplates
import SeededRandom

/// A layout whose constants are replaced by bindings to fields of the row. It must have the same result as the
/// original.
public struct BoundLayout {
  /// The layout with bindings, and the fields that they read.
  public private(set) var layout = JSON.null
  public private(set) var fields: [String: JSON] = ["yes": .number(1), "object": .object([:])]
  /// The number of values that became bindings.
  public private(set) var count = 0
  private var random: SplitMix

  public init(_ layout: JSON, seed: UInt64) {
    random = SplitMix(seed: seed)
    self.layout = bind(element: layout)
  }

  private mutating func bind(element: JSON) -> JSON {
    guard var members = element.object, let type = element["type"]?.string,
      let format = CellFormat.element(named: type)
    else { return element }
    for property in format.properties {
      guard let value = members[property.name] else { continue }
      members[property.name] = bind(value, property.type)
    }
    if let style = members["style"]?.object { members["style"] = bind(style, CellFormat.style) }
    return .object(members)
  }

  private mutating func bind(_ members: [String: JSON], _ format: [PropertyFormat]) -> JSON {
    var bound = members
    for property in format { bound[property.name] = members[property.name].map { bind($0, property.type) } }
    return .object(bound)
  }

  private mutating func bind(_ value: JSON, _ type: ValueType) -> JSON {
    switch type {
    case .element: bind(element: value)
    case .elements: .array((value.array ?? []).map { bind(element: $0) })
    case .runs: .array((value.array ?? []).map { bind($0.object ?? [:], CellFormat.run) })
    case .text: bind(value, isText: true)
    case _ where type.isBindable: bind(value, isText: false)
    default: value
    }
  }

  private mutating func bind(_ value: JSON, isText: Bool) -> JSON {
    switch random.below(isText ? 6 : 5) {
    case 0: value
    case 1: .string("{\(field(value))}")
    case 2: parts(of: value)
    case 3: .string("{\(field(value))?}")
    case 4: choice(value)
    default: pieces(of: value)
    }
  }

  /// Returns an array or object whose parts are bindings.
  private mutating func parts(of value: JSON) -> JSON {
    switch value {
    case .array(let elements): .array(elements.map { bind($0, isText: false) })
    case .object(let members): .object(members.mapValues { bind($0, isText: false) })
    default: .string("{\(field(value))}")
    }
  }

  private mutating func choice(_ value: JSON) -> JSON {
    let chosen = random.below(2) == 0 ? value : JSON.string("{\(field(value))}")
    let test = random.below(2)
    let condition = [JSON.object(["field": .string("yes"), "equals": .number(1)]), .object(["not": .string("yes")])][
      test]
    return .object(["if": condition, test == 0 ? "then" : "else": chosen, test == 0 ? "else" : "then": value])
  }

  /// Returns a text that is composed of two fields.
  private mutating func pieces(of value: JSON) -> JSON {
    guard case .string(let text) = value else { return value }
    let half = text.index(text.startIndex, offsetBy: text.count / 2)
    return .string("{\(field(.string(String(text[..<half]))))}{\(field(.string(String(text[half...]))))}")
  }

  /// Adds a field with a value to the row. Returns its path.
  private mutating func field(_ value: JSON) -> String {
    count += 1
    let name = "p\(count)"
    if random.below(4) == 0, var object = fields["object"]?.object {
      object[name] = value
      fields["object"] = .object(object)
      return "object.\(name)"
    }
    fields[name] = value
    return name
  }
}
