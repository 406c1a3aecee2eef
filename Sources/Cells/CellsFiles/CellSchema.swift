import CellTemplates
import Foundation
import LayoutEngine
import TextMeasuring

/// The JSON Schema (draft 2020-12) of the cells format, with which editors complete and check cells files: `#
/// yaml-language-server: $schema=galley.schema.json`.
public enum CellSchema {
  private typealias Object = [String: Any]

  public static func encoded() throws -> Data {
    try JSONSerialization.data(
      withJSONObject: schema, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  private static var schema: Object {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Galley cells file",
      "type": "object",
      "required": ["version"],
      "additionalProperties": false,
      "properties": [
        "version": ["const": CellProgram.version],
        "generation": ["enum": LayoutGeneration.allCases.map(\.rawValue)],
        "fonts": ["type": "object", "additionalProperties": reference("font")],
        "fallback": [
          "anyOf": [
            ["const": "system"],
            ["type": "array", "items": ["anyOf": [["type": "string"], reference("fallbackFont")]]],
          ]
        ],
        "lang": language,
        "hyphenation": [
          "type": "object", "propertyNames": language, "additionalProperties": ["type": "string"],
        ],
        "platforms": platforms,
        "calibration": calibration,
        "cells": ["type": "object", "additionalProperties": reference("cell")],
        "templates": ["type": "object", "additionalProperties": template],
      ],
      "$defs": definitions,
    ]
  }

  private static var definitions: Object {
    var definitions: Object = [
      "font": font(required: ["size"]), "fallbackFont": fallbackFont,
      "cell": object(properties(CellFormat.cell), required: required(CellFormat.cell)),
      "binding": ["type": "string", "pattern": "[{][^{}]+[}]"],
      "choice": object(
        ["if": reference("condition"), "then": true, "else": true], required: ["if", "then"]),
      "condition": condition,
      "element": element,
      "style": object(properties(CellFormat.style), required: []),
      "run": run,
    ]
    for format in CellFormat.elements { definitions["element-\(format.name)"] = definition(of: format) }
    return definitions
  }

  private static var run: Object {
    var run = object(properties(CellFormat.run), required: required(CellFormat.run))
    run["oneOf"] = [["required": ["text"]], ["required": ["attachment"]]]
    run["dependentRequired"] = ["as": ["forEach"], "limit": ["forEach"]]
    return run
  }

  /// The schema of the properties of texts on platforms.
  private static var platforms: Object {
    func constants(_ format: [PropertyFormat]) -> Object { object(properties(format, areBound: false), required: []) }
    let android = constants(CellFormat.android)
    let compose = constants(CellFormat.compose)
    var flutter = properties(CellFormat.flutter, areBound: false)
    flutter["strut"] = constants(CellFormat.strut)
    return object(
      ["android": android, "reactNative": android, "compose": compose, "flutter": object(flutter, required: [])],
      required: [])
  }

  /// The schema of what the devices of platforms differ in.
  private static var calibration: Object {
    let points: Object = [
      "type": "number", "minimum": -CellProgram.calibrationLimit, "maximum": CellProgram.calibrationLimit,
    ]
    let factors = CellProgram.lineHeightFactors
    let factor: Object = ["type": "number", "minimum": factors.lowerBound, "maximum": factors.upperBound]
    let lines = object(["factor": factor, "addition": points], required: [])
    var platforms: Object = [:]
    for platform in Platform.allCases {
      var members = properties(CellFormat.calibration(of: platform), areBound: false)
      members["widthTolerance"] = points
      members["lineHeights"] = ["type": "object", "additionalProperties": lines]
      platforms[platform.name] = object(members, required: [])
    }
    return object(platforms, required: [])
  }

  private static func font(required: [String]) -> Object {
    let others = ["faceIndex", "weight", "lineHeight", "axes", "fontFeatures", "size", "sizes"]
    var members = properties(CellFormat.font.filter { !others.contains($0.name) }, areBound: false)
    let number: Object = ["type": "integer", "minimum": 0, "maximum": 65_535]
    let tag: Object = ["pattern": "^[ -~]{4}$"]
    members["faceIndex"] = number
    members["weight"] = [
      "anyOf": [["type": "number", "minimum": 1, "maximum": 1000], ["enum": FontReading.weights.keys.sorted()]]
    ]
    members["lineHeight"] = ["anyOf": [["type": "number", "minimum": 0], ["const": "normal"]]]
    members["axes"] = ["type": "object", "propertyNames": tag, "additionalProperties": ["type": "number"]]
    members["fontFeatures"] = [
      "type": "object", "propertyNames": tag, "additionalProperties": ["anyOf": [number, ["type": "boolean"]]],
    ]
    members["size"] = fontSize
    members["sizes"] = object(
      Dictionary(uniqueKeysWithValues: TextSize.allCases.map { ($0.name, fontSize as Any) }), required: [])
    var font = object(members, required: required)
    font["oneOf"] = [["required": ["family"]], ["required": ["file"]]]
    return font
  }

  /// The schema of a font for characters that other fonts lack. It has the features of those fonts.
  private static var fallbackFont: Object {
    var font = font(required: [])
    font["not"] = ["required": ["fontFeatures"]]
    return font
  }

  private static var fontSize: Object { ["type": "number", "exclusiveMinimum": 0, "maximum": 10_000] }

  private static var language: Object { ["type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"] }

  private static var condition: Object {
    let threshold = bound(["type": "number"])
    return [
      "anyOf": [
        ["type": "string"], object(["not": reference("condition")], required: ["not"]),
        object(["all": ["type": "array", "items": reference("condition")]], required: ["all"]),
        object(["any": ["type": "array", "items": reference("condition")]], required: ["any"]),
        object(
          [
            "field": ["type": "string"], "equals": ["type": ["string", "number", "boolean", "null"]],
            "atLeast": threshold, "below": threshold,
          ], required: ["field"]),
      ]
    ]
  }

  /// The schema of an element, whose properties depend on its type.
  private static var element: Object {
    let ofType: Object = [
      "required": ["type"],
      "properties": ["type": bound(["enum": ElementType.names])],
      "allOf": ElementType.names.map { name -> Object in
        ["if": ["properties": ["type": ["const": name]]], "then": reference("element-\(name)")]
      },
    ]
    var ofTemplate = properties(CellFormat.everyElement.filter { $0.name != "type" })
    ofTemplate["use"] = ["type": "string"]
    ofTemplate["with"] = ["type": "object"]
    return [
      "type": "object", "if": ["required": ["use"]], "then": object(ofTemplate, required: ["use"]), "else": ofType,
    ]
  }

  /// The schema of an element with parameters.
  private static var template: Object {
    let parameters: Object = ["anyOf": [["type": "object"], ["type": "array", "items": ["type": "string"]]]]
    return object(["parameters": parameters, "layout": reference("element")], required: ["layout"])
  }

  private static func definition(of format: ElementFormat) -> Object {
    let all = CellFormat.everyElement + format.properties
    var definition = object(properties(all), required: required(all))
    definition["description"] = "\(format.className): \(format.summary)"
    if format.type == .text { definition["oneOf"] = [["required": ["text"]], ["required": ["runs"]]] }
    return definition
  }

  private static func object(_ properties: Object, required: [String]) -> Object {
    ["type": "object", "properties": properties, "required": required, "additionalProperties": false]
  }

  private static func required(_ properties: [PropertyFormat]) -> [String] {
    properties.filter(\.isRequired).map(\.name)
  }

  private static func properties(_ properties: [PropertyFormat], areBound: Bool = true) -> Object {
    var members: Object = [:]
    for property in properties {
      var value = areBound ? schema(of: property) : schema(of: property.type)
      value["description"] = property.summary
      members[property.name] = value
    }
    return members
  }

  private static func schema(of property: PropertyFormat) -> Object {
    let own = schema(of: property.type)
    guard property.type.isBindable else { return own }
    // A text with bindings is a string, as a text without bindings is.
    if case .text = property.type { return ["anyOf": [own, reference("choice")]] }
    return ["anyOf": [own, reference("binding"), reference("choice")]]
  }

  private static func schema(of type: ValueType) -> Object {
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
    case .count: return count
    case .constantCount: return bound(count)
    case .boolean: return ["type": "boolean"]
    case .text, .font: return ["type": "string"]
    case .language: return language
    case .name, .field: return ["type": "string", "minLength": 1]
    case .choice(let names): return ["enum": names()]
    case .dimension: return dimension([])
    case .size: return pair(length)
    case .point: return pair(part)
    case .dimensions: return pair(bound(dimension([])))
    case .finiteInsets:
      let edges = object(["top": part, "left": part, "bottom": part, "right": part], required: [])
      return ["anyOf": [["type": "number"], ["type": "array", "items": part, "minItems": 4, "maxItems": 4], edges]]
    case .insets:
      let infinity: Object = ["enum": Infinity.names]
      let edge: Object = ["anyOf": [["type": "number"], infinity, reference("binding"), reference("choice")]]
      return [
        "anyOf": [
          ["type": "number"], infinity, ["type": "array", "items": edge, "minItems": 4, "maxItems": 4],
          object(["top": edge, "left": edge, "bottom": edge, "right": edge], required: []),
        ]
      ]
    case .ratio:
      let positive: Object = ["type": "number", "exclusiveMinimum": 0]
      return ["anyOf": [positive, pair(bound(positive))]]
    case .sizeRange:
      let (low, high) = (pair(bound(dimension([]))), pair(bound(dimension(Infinity.names))))
      return ["anyOf": [low, object(["min": bound(low), "max": bound(high)], required: [])]]
    case .sizes:
      return ["anyOf": [pair(length), ["type": "array", "minItems": 1, "items": bound(pair(length))]]]
    case .flexFactor: return ["type": ["number", "boolean"], "minimum": 0]
    case .condition: return reference("condition")
    case .runs: return ["anyOf": [["type": "array", "items": reference("run")], reference("binding")]]
    case .factors:
      let factor = bound(["type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1])
      return ["type": "array", "maxItems": PointSizeScaleFactors.maxCount, "items": factor]
    case .exclusionPaths:
      let path = object(
        [
          "side": bound(["enum": ExclusionPath.Side.allCases.map { "\($0)" }]), "y": length, "width": length,
          "height": length,
        ],
        required: ["side", "width", "height"])
      return ["type": "array", "maxItems": ExclusionPaths.maxCount, "items": bound(path)]
    case .images:
      let pixels = bound(count)
      let image = object(["url": bound(["type": "string"]), "width": pixels, "height": pixels], required: ["url"])
      return bound(["type": "array", "items": bound(image)])
    case .style: return bound(reference("style"))
    case .element:
      var element = bound(reference("element"))
      element["properties"] = ["forEach": false, "as": false, "limit": false]
      return element
    case .elements:
      // A template's element may have as without forEach, which a use can add, and a use may have limit without it.
      var element = bound(reference("element"))
      element["dependentRequired"] = ["as": ["forEach"]]
      return bound(["type": "array", "items": element])
    case .other: return [:]
    }
  }

  /// A value, or a binding or a value by condition in its place. Some values can be these only in templates, where they are
  /// parameters. The schema accepts them everywhere, because templates and cells have the same definitions.
  private static func bound(_ value: Object) -> Object {
    ["anyOf": [value, reference("binding"), reference("choice")]]
  }

  private static func reference(_ name: String) -> Object { ["$ref": "#/$defs/\(name)"] }
}
