/// The type of a property's value, from which the reference and the JSON Schema are made.
public enum ValueType: Sendable {
  /// A number. A distance is in points.
  case number
  /// A number of points that is not negative.
  case length
  /// A whole number that is not negative.
  case count
  /// A whole number that is not negative and the same for all rows.
  case constantCount
  case boolean
  /// A string that may contain bindings.
  case text
  /// The tag of a language, such as `ja`.
  case language
  /// A string that is the same for all rows.
  case name
  /// The name of a font of the cells file.
  case font
  /// One of some names. They are found when they are needed, because that takes a tenth of a millisecond for each enumeration.
  case choice(@Sendable () -> [String])
  /// A number of points, `"40%"`, `"min(240, 80%)"`, `"max(240, 80%)"` or `"auto"`.
  case dimension
  /// `[width, height]` in points.
  case size
  /// `[x, y]` in points.
  case point
  /// Two dimensions `[width, height]`.
  case dimensions
  /// One number, `[top, left, bottom, right]`, or an object of edges. Each of them may be `"inf"`.
  case insets
  /// Insets in points, without `"inf"`.
  case finiteInsets
  /// Height divided by width, or a size.
  case ratio
  /// `{min: [d, d], max: [d, d]}` or `[d, d]`.
  case sizeRange
  /// One size or several.
  case sizes
  /// A number that is not negative, true or false.
  case flexFactor
  case condition
  /// The name of a field that holds an array.
  case field
  case runs
  /// A list of numbers above 0 and below 1.
  case factors
  /// Up to 8 rectangles at the sides of a text.
  case exclusionPaths
  /// `[{url, width, height}]`, or the name of a field with such an array.
  case images
  case style
  case element
  case elements
  /// A value that only the property's summary describes.
  case other

  /// The name of the type in the reference.
  public var summary: String {
    switch self {
    case .number: "number"
    case .length: "number from 0"
    case .count, .constantCount: "whole number from 0"
    case .boolean: "true or false"
    case .text: "string"
    case .language: "tag of a language"
    case .name: "name"
    case .font: "name of a font"
    case .choice(let names): names().joined(separator: " · ")
    case .dimension: "points, \"40%\", \"min(240, 80%)\" or \"auto\""
    case .size: "[width, height]"
    case .point: "[x, y]"
    case .dimensions: "[dimension, dimension]"
    case .insets: "number, [top, left, bottom, right] or {top, left, bottom, right}; \"inf\" allowed"
    case .finiteInsets: "number, [top, left, bottom, right] or {top, left, bottom, right}"
    case .ratio: "number above 0 or [width, height]"
    case .sizeRange: "{min: [d, d], max: [d, d]}, one of them, or [d, d]"
    case .sizes: "[width, height] or a list of them"
    case .flexFactor: "number from 0, true or false"
    case .condition: "condition"
    case .field: "name of an array field"
    case .runs:
      "list of {text or attachment, font, lineHeight, letterSpacing, baselineOffset, url, kind}, or a field with one"
    case .factors: "list of numbers above 0 and below 1"
    case .exclusionPaths: "list of {side, y, width, height}"
    case .images: "list of {url, width, height}, or a field with one"
    case .style: "object of style properties"
    case .element: "element"
    case .elements: "list of elements"
    case .other: ""
    }
  }

  /// Whether the value may be a binding or a value by condition.
  public var isBindable: Bool {
    switch self {
    case .constantCount, .name, .condition, .field, .runs, .images, .style, .element, .elements, .other: false
    default: true
    }
  }

  package var isOfElements: Bool {
    switch self {
    case .element, .elements: true
    default: false
    }
  }

  static func choice<Choice: NamedChoice>(_ type: Choice.Type) -> ValueType { .choice { Choice.names } }
  static func choice<Value>(_ choices: [(String, Value)]) -> ValueType {
    let names = choices.map(\.0)
    return .choice { names }
  }
}

/// The generation of AsyncDisplayKit that a name comes from.
public enum Generation: String, Sendable {
  /// All generations have the name.
  case all = ""
  /// The name is of AsyncDisplayKit 1.x.
  case first = "1.x"
  /// The name is of AsyncDisplayKit 1.x, and without a meaning in 2.x.
  case onlyFirst = "1.x only"
  /// The name is of AsyncDisplayKit 2 and Texture.
  case second = "2.x"
  /// The name is Galley's own.
  case galley = "Galley"

  /// Whether the name is of one generation.
  public var isOne: Bool { self != .all && self != .galley }
}

/// A property of an element, of its style, or of another part of a cells file.
public struct PropertyFormat: Sendable {
  public let name: String
  let keyword: Keyword?
  public let type: ValueType
  /// The default as it would be written, or nil if leaving the property out has a meaning that no value has.
  public let defaultValue: String?
  public let isRequired: Bool
  public let generation: Generation
  /// A sentence about the meaning of the property, with units.
  public let summary: String

  init(
    _ keyword: Keyword, _ type: ValueType, default defaultValue: String? = nil, required: Bool = false,
    generation: Generation = .all, _ summary: String
  ) {
    self.init(
      keyword.name, type, default: defaultValue, required: required, generation: generation, keyword: keyword, summary)
  }

  init(
    _ name: String, _ type: ValueType, default defaultValue: String? = nil, required: Bool = false,
    generation: Generation = .galley, keyword: Keyword? = nil, _ summary: String
  ) {
    self.name = name
    self.keyword = keyword
    self.type = type
    self.defaultValue = defaultValue
    isRequired = required
    self.generation = generation
    self.summary = summary
  }
}

/// An element type of the cells format.
public struct ElementFormat: Sendable {
  public let type: ElementType
  /// The name of its class in AsyncDisplayKit.
  public let className: String
  public let generation: Generation
  /// Sentences about the effect of the element.
  public let summary: String
  /// The properties of the element and the elements it contains, without the properties that every element has.
  public let properties: [PropertyFormat]
  /// An example in YAML, which a test compiles.
  public let example: String

  public var name: String { type.name }
}
