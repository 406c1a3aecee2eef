import CellTemplates
import SeededRandom

/// A generator of random elements with random values of every property in the description of the format.
public struct RandomCells {
  public var random: SplitMix

  public init(seed: UInt64) { random = SplitMix(seed: seed) }

  private static let fonts = ["body", "bold", "small"]
  private static let words = [
    "a", "list", "prefetches", "from", "tables,", "naïve", "日本語", "and", "\u{1f44d}", "does not guess",
  ]

  /// Returns an element with at most `depth` levels of elements in it.
  public mutating func element(depth: Int) -> JSON {
    let types = CellFormat.elements.filter { type in
      depth > 0 || !type.properties.contains { $0.isRequired && $0.type.isOfElements }
    }
    let format = types[random.below(types.count)]
    var members: [String: JSON] = ["type": .string(format.name)]
    for property in format.properties
    where property.generation != .onlyFirst && (property.isRequired || random.below(3) > 0) {
      switch (format.name, property.name) {
      // A text and a node have either of two properties.
      case ("text", "text"), ("text", "runs"), ("node", "calculatedSize"): continue
      default: members[property.name] = value(of: property.type, depth: depth)
      }
    }
    if format.name == "text" {
      if random.below(3) == 0 {
        members["runs"] = value(of: .runs, depth: 0)
      } else {
        members["text"] = .string(text())
      }
    }
    if format.name == "node" && members["layout"] == nil && random.below(2) == 0 {
      members["calculatedSize"] = value(of: .sizes, depth: 0)
    }
    if random.below(2) == 0 { members["style"] = style() }
    return .object(members)
  }

  private mutating func style() -> JSON {
    var style: [String: JSON] = [:]
    for _ in 0..<1 + random.below(4) {
      let property = CellFormat.style[random.below(CellFormat.style.count)]
      style[property.name] = value(of: property.type, depth: 0)
    }
    return .object(style)
  }

  /// Returns a value of a type of the format.
  public mutating func value(of type: ValueType, depth: Int) -> JSON {
    switch type {
    case .number: .number(Double(random.below(24)) - 4)
    case .length: .number(Double(random.below(80)) / 2)
    case .count, .constantCount: .number(Double(random.below(4)))
    case .boolean: .bool(random.below(2) == 0)
    case .text: .string(text())
    case .language: .string(["ja", "zh-Hant", "de", "en"][random.below(4)])
    case .name, .field, .other: .string("name\(random.below(100))")
    case .font: .string(Self.fonts[random.below(Self.fonts.count)])
    case .choice(let names): .string(names()[random.below(names().count)])
    case .dimension: dimension()
    case .size: .array([length(), length()])
    case .point: .array([.number(Double(random.below(40)) - 8), .number(Double(random.below(40)) - 8)])
    case .dimensions: .array([dimension(), dimension()])
    case .insets: insets()
    case .finiteInsets: .array((0..<4).map { _ in .number(Double(random.below(12))) })
    case .ratio: random.below(2) == 0 ? .number(0.25 + random.unit() * 2) : .array([.number(40), .number(30)])
    case .sizeRange: sizeRange()
    case .sizes: random.below(2) == 0 ? .array([length(), length()]) : sizes()
    case .flexFactor: random.below(2) == 0 ? .bool(random.below(2) == 0) : .number(Double(random.below(3)))
    case .condition: .string("always")
    case .runs: .array((0...random.below(3)).map { _ in run() })
    case .factors: .array((0..<random.below(3)).map { _ in .number(0.25 + Double(random.below(12)) / 16) })
    case .exclusionPaths:
      .array(
        (0..<random.below(3)).map { _ in
          .object([
            "side": .string(["left", "right"][random.below(2)]), "y": length(), "width": length(), "height": length(),
          ])
        })
    case .images:
      .array(
        (0..<random.below(3)).map { _ in .object(["url": .string("u"), "width": .number(Double(random.below(9)))]) })
    case .style: style()
    case .element: element(depth: depth - 1)
    case .elements: .array(depth > 0 ? (0..<random.below(4)).map { _ in element(depth: depth - 1) } : [])
    }
  }

  private mutating func length() -> JSON { .number(Double(random.below(160)) / 2) }

  private mutating func dimension() -> JSON {
    switch random.below(5) {
    case 0: .string("auto")
    case 4: .string("\(["min", "max"][random.below(2)])(\(random.below(200)), \(random.below(101))%)")
    case 1: .string("\(random.below(101))%")
    default: length()
    }
  }

  private mutating func insets() -> JSON {
    switch random.below(3) {
    case 0: return .number(Double(random.below(12)))
    case 1: return .array((0..<4).map { _ in .number(Double(random.below(12))) })
    default:
      var edges: [String: JSON] = [:]
      for edge in ["top", "left", "bottom", "right"] where random.below(2) == 0 {
        edges[edge] = random.below(6) == 0 ? .string("inf") : .number(Double(random.below(12)))
      }
      return .object(edges)
    }
  }

  private mutating func sizeRange() -> JSON {
    if random.below(2) == 0 { return .array([dimension(), dimension()]) }
    var sides: [String: JSON] = [:]
    if random.below(2) == 0 { sides["min"] = .array([length(), length()]) }
    if sides.isEmpty || random.below(2) == 0 { sides["max"] = .array([dimension(), .string("inf")]) }
    return .object(sides)
  }

  private mutating func sizes() -> JSON { .array((0...random.below(3)).map { _ in .array([length(), length()]) }) }

  private mutating func run() -> JSON {
    var run: [String: JSON] = ["text": .string(text())]
    for property in CellFormat.run
    where !["text", "forEach", "as", "limit"].contains(property.name) && random.below(2) == 0 {
      run[property.name] = value(of: property.type, depth: 0)
    }
    // A run has either text or an attachment.
    if run["attachment"] != nil { run[random.below(4) == 0 ? "text" : "attachment"] = nil }
    return .object(run)
  }

  private mutating func text() -> String {
    (0..<random.below(12)).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
  }
}
