import CellTemplates
import LayoutEngine
import TextMeasuring

/// The schema of elements and their values. Templates and cells have definitions of their own, because the parameters of a
/// template can also be values that are the same for all rows, such as a type, a style or children.
struct ElementSchema {
  typealias Object = CellSchema.Object

  let isTemplate: Bool

  private var prefix: String { isTemplate ? "template-" : "" }

  var definitions: Object {
    var definitions: Object = [
      "binding": ["type": "string", "pattern": "[{][^{}]+[}]"],
      "choice": CellSchema.object(
        ["if": reference("condition"), "then": true, "else": true], required: ["if", "then"]),
      "condition": condition, "element": element,
      "style": CellSchema.object(properties(CellFormat.style), required: []), "run": run,
    ]
    for format in CellFormat.elements { definitions["element-\(format.name)"] = definition(of: format) }
    return Dictionary(uniqueKeysWithValues: definitions.map { (prefix + $0.key, $0.value) })
  }

  private var run: Object {
    var run = CellSchema.object(properties(CellFormat.run), required: CellSchema.required(CellFormat.run))
    run["oneOf"] = [["required": ["text"]], ["required": ["attachment"]]]
    run["dependentRequired"] = ["as": ["forEach"], "limit": ["forEach"]]
    return run
  }

  private var condition: Object {
    let threshold = constant(["type": "number"])
    let conditions = constant(["type": "array", "items": reference("condition")])
    let condition: Object = [
      "anyOf": [
        ["type": "string"], CellSchema.object(["not": reference("condition")], required: ["not"]),
        CellSchema.object(["all": conditions], required: ["all"]),
        CellSchema.object(["any": conditions], required: ["any"]),
        CellSchema.object(
          [
            "field": constant(["type": "string"]),
            "equals": constant(["type": ["string", "number", "boolean", "null"]]),
            "atLeast": threshold, "below": threshold,
          ], required: ["field"]),
      ]
    ]
    return constant(condition)
  }

  /// The schema of an element, whose properties depend on its type.
  private var element: Object {
    let ofType: Object = [
      "required": ["type"],
      "properties": ["type": constant(["enum": ElementType.names])],
      "allOf": ElementType.names.map { name -> Object in
        ["if": ["properties": ["type": ["const": name]]], "then": reference("element-\(name)")]
      },
    ]
    var ofTemplate = properties(CellFormat.everyElement.filter { $0.name != "type" })
    ofTemplate["use"] = constant(["type": "string"])
    ofTemplate["with"] = constant(["type": "object"])
    return [
      "type": "object", "if": ["required": ["use"]], "then": CellSchema.object(ofTemplate, required: ["use"]),
      "else": ofType,
    ]
  }

  private func definition(of format: ElementFormat) -> Object {
    let all = CellFormat.everyElement + format.properties
    var definition = CellSchema.object(properties(all), required: CellSchema.required(all))
    definition["description"] = "\(format.className): \(format.summary)"
    if format.type == .text { definition["oneOf"] = [["required": ["text"]], ["required": ["runs"]]] }
    return definition
  }

  func properties(_ properties: [PropertyFormat], areBound: Bool = true) -> Object {
    var members: Object = [:]
    for property in properties {
      var value = areBound ? schema(of: property) : schema(of: property.type)
      value["description"] = property.summary
      members[property.name] = value
    }
    return members
  }

  private func schema(of property: PropertyFormat) -> Object {
    let own = schema(of: property.type)
    guard property.type.isBindable || isTemplate else { return own }
    // A text with bindings is a string, as a text without bindings is.
    if case .text = property.type { return ["anyOf": [own, reference("choice")]] }
    return bound(own)
  }

  private func schema(of type: ValueType) -> Object {
    let part = bound(["type": "number"])
    let length = bound(["type": "number", "minimum": 0])
    let count: Object = ["type": "integer", "minimum": 0, "maximum": Int(Int32.max)]
    func dimension(_ names: [String]) -> Object {
      let number = "[+]?[0-9.]+([eE][-+]?[0-9]+)?"
      let (points, percent) = ("\(number)(pt)?", "\(number)%")
      let names = (["auto"] + names).map { $0.replacing(".", with: "[.]") }
      let pattern =
        "^(\(names.joined(separator: "|"))|\(number)pt|\(percent)"
        + "|(min|max)[(] *(\(points), *\(percent)|\(percent), *\(points))[)])$"
      return [
        "anyOf": [
          ["type": "number", "minimum": 0], ["type": "string", "pattern": pattern],
        ]
      ]
    }
    func pair(_ item: Object) -> Object { ["type": "array", "items": item, "minItems": 2, "maxItems": 2] }
    switch type {
    case .number: return ["type": "number"]
    case .length: return ["type": "number", "minimum": 0]
    case .count, .constantCount: return count
    case .boolean: return ["type": "boolean"]
    case .text, .font: return ["type": "string"]
    case .language: return CellSchema.language
    case .name, .field: return ["type": "string", "minLength": 1]
    case .choice(let names): return ["enum": names()]
    case .dimension: return dimension([])
    case .size: return pair(length)
    case .point: return pair(part)
    case .dimensions: return pair(bound(dimension([])))
    case .finiteInsets:
      let edges = CellSchema.object(["top": part, "left": part, "bottom": part, "right": part], required: [])
      return ["anyOf": [["type": "number"], ["type": "array", "items": part, "minItems": 4, "maxItems": 4], edges]]
    case .insets:
      let infinity: Object = ["enum": Infinity.names]
      let edge: Object = ["anyOf": [["type": "number"], infinity, reference("binding"), reference("choice")]]
      return [
        "anyOf": [
          ["type": "number"], infinity, ["type": "array", "items": edge, "minItems": 4, "maxItems": 4],
          CellSchema.object(["top": edge, "left": edge, "bottom": edge, "right": edge], required: []),
        ]
      ]
    case .ratio:
      let positive: Object = ["type": "number", "exclusiveMinimum": 0]
      return ["anyOf": [positive, pair(bound(positive))]]
    case .sizeRange:
      let (low, high) = (pair(bound(dimension([]))), pair(bound(dimension(Infinity.names))))
      var ends = CellSchema.object(["min": bound(low), "max": bound(high)], required: [])
      ends["minProperties"] = 1
      return ["anyOf": [low, ends]]
    case .sizes:
      return ["anyOf": [pair(length), ["type": "array", "minItems": 1, "items": bound(pair(length))]]]
    case .flexFactor: return ["type": ["number", "boolean"], "minimum": 0]
    case .condition: return reference("condition")
    case .runs: return ["anyOf": [["type": "array", "items": constant(reference("run"))], reference("binding")]]
    case .factors:
      let factor = bound(["type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1])
      return ["type": "array", "maxItems": PointSizeScaleFactors.maxCount, "items": factor]
    case .exclusionPaths:
      let path = CellSchema.object(
        [
          "side": bound(["enum": ExclusionPath.Side.allCases.map { "\($0)" }]), "y": length, "width": length,
          "height": length,
        ],
        required: ["side", "width", "height"])
      return ["type": "array", "maxItems": ExclusionPaths.maxCount, "items": bound(path)]
    case .images:
      let pixels = bound(count)
      let image = CellSchema.object(
        ["url": bound(["type": "string"]), "width": pixels, "height": pixels], required: ["url"])
      return bound(["type": "array", "items": bound(image)])
    case .style: return reference("style")
    case .element:
      var element = reference("element")
      element["properties"] = ["forEach": false, "as": false, "limit": false]
      return element
    case .elements:
      // A template's element may have as without forEach, which a use can add, and a use may have limit without it.
      var element = reference("element")
      element["dependentRequired"] = ["as": ["forEach"]]
      return ["type": "array", "items": constant(element)]
    case .other: return [:]
    }
  }

  /// A value, or a binding or a value by condition in its place.
  private func bound(_ value: Object) -> Object { ["anyOf": [value, reference("binding"), reference("choice")]] }

  /// A value that cannot depend on the row. In a template it can be a parameter, or a value by a condition that is one.
  private func constant(_ value: Object) -> Object { isTemplate ? bound(value) : value }

  func reference(_ name: String) -> Object { CellSchema.reference(prefix + name) }
}
