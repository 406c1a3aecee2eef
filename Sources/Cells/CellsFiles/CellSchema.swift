import CellTemplates
import Foundation
import LayoutEngine

/// The JSON Schema (draft 2020-12) of the cells format, with which editors complete and check cells files: `#
/// yaml-language-server: $schema=galley.schema.json`.
public enum CellSchema {
  typealias Object = [String: Any]

  private static let cells = ElementSchema(isTemplate: false)
  private static let templates = ElementSchema(isTemplate: true)

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
      "cell": object(cells.properties(CellFormat.cell), required: required(CellFormat.cell)),
    ]
    for elements in [cells, templates] { definitions.merge(elements.definitions) { first, _ in first } }
    return definitions
  }

  /// The schema of an element with parameters.
  private static var template: Object {
    let parameters: Object = ["anyOf": [["type": "object"], ["type": "array", "items": ["type": "string"]]]]
    let layout: Object = ["anyOf": [templates.reference("element"), templates.reference("choice")]]
    return object(["parameters": parameters, "layout": layout], required: ["layout"])
  }

  /// The schema of the properties of texts on platforms.
  private static var platforms: Object {
    func constants(_ format: [PropertyFormat]) -> Object {
      object(cells.properties(format, areBound: false), required: [])
    }
    let android = constants(CellFormat.android)
    let compose = constants(CellFormat.compose)
    var flutter = cells.properties(CellFormat.flutter, areBound: false)
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
      var members = cells.properties(CellFormat.calibration(of: platform), areBound: false)
      members["widthTolerance"] = points
      members["lineHeights"] = ["type": "object", "additionalProperties": lines]
      platforms[platform.name] = object(members, required: [])
    }
    return object(platforms, required: [])
  }

  private static func font(required: [String]) -> Object {
    var members = cells.properties(CellFormat.font, areBound: false)
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

  static var language: Object { ["type": "string", "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"] }

  static func object(_ properties: Object, required: [String]) -> Object {
    ["type": "object", "properties": properties, "required": required, "additionalProperties": false]
  }

  static func required(_ properties: [PropertyFormat]) -> [String] { properties.filter(\.isRequired).map(\.name) }

  static func reference(_ name: String) -> Object { ["$ref": "#/$defs/\(name)"] }
}
