import Buffers
import Foundation
import Yams

/// A value of a cells file with its line and column, which errors name.
indirect enum SourceNode: Sendable {
  struct Position {
    var line: Int
    var column: Int
    /// The innermost use of the template in which the value is written, or nil outside of templates.
    var use: Use?

    func used(_ use: Use) -> Position { Position(line: line, column: column, use: use) }
  }

  /// A use of a template.
  struct Use {
    var template: String
    var line: Int?

    /// What errors and warnings add to their message.
    var text: String { " (template \(template)" + (line.map { ", used in line \($0)" } ?? "") + ")" }
  }

  struct Member {
    var key: String
    var position: Position?
    var value: SourceNode
  }

  case mapping([Member], Position?)
  case sequence([SourceNode], Position?)
  case string(String, Position?)
  /// A number, true, false or null, as it is written in JSON.
  case literal(String, Position?)

  var position: Position? {
    switch self {
    case .mapping(_, let position), .sequence(_, let position), .string(_, let position), .literal(_, let position):
      position
    }
  }

  /// Returns the position of the value at a path, or of the last component of the path that is present.
  func position(of path: [String]) -> Position? {
    guard let first = path.first else { return position }
    switch self {
    case .mapping(let members, _):
      guard let member = members.first(where: { $0.key == first }) else { return position }
      if path.count == 1 { return member.position ?? member.value.position }
      return member.value.position(of: Array(path.dropFirst())) ?? member.position
    case .sequence(let elements, _):
      guard let index = Int(first), elements.indices.contains(index) else { return position }
      return elements[index].position(of: Array(path.dropFirst()))
    default: return position
    }
  }

  subscript(key: String) -> SourceNode? {
    guard case .mapping(let members, _) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Returns the members of the mapping that is the value of a key; another value has none.
  func members(of key: String) -> [Member] { if case .mapping(let members, _)? = self[key] { members } else { [] } }

  /// Returns the elements of the sequence that is the value of a key; another value has none.
  func list(of key: String) -> [SourceNode] { if case .sequence(let list, _)? = self[key] { list } else { [] } }

  /// Whether the file is empty.
  var isEmpty: Bool {
    switch self {
    case .mapping(let members, _): members.isEmpty
    case .literal("null", _): true
    default: false
    }
  }

  // MARK: Reading YAML

  /// The largest number of values in a cells file. The values of an alias count for each use.
  static let maxNodes = 1_000_000

  /// The largest number of bytes of texts that templates make of a cells file.
  static let maxTextBytes = 64 << 20

  /// The greatest depth of values, so that reading them does not overflow the stack. Elements are nested in fewer levels.
  static let maxDepth = 1000

  init(yaml: String) throws {
    let extent = YAMLExtent(yaml)
    guard extent.values <= Self.maxNodes else { throw Mistake(reason: "has more than \(Self.maxNodes) values") }
    guard extent.depth <= Self.maxDepth else {
      throw Mistake(reason: "is nested more than \(Self.maxDepth) levels deep")
    }
    guard let node = try Yams.compose(yaml: yaml, Self.coreSchema()) else {
      self = .mapping([], nil)
      return
    }
    self = try Self.convert(node)
  }

  /// Returns the core schema of YAML 1.2, in which `NO` and `16:9` are texts. Other than there, `010` is a text too, because YAML 1.1
  /// makes 8 of it and YAML 1.2 makes 10.
  private static func coreSchema() throws -> Resolver {
    try Resolver.default
      .replacing(.bool, with: "^(?:true|True|TRUE|false|False|FALSE)$")
      .replacing(.int, with: "^(?:[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+)$")
      .replacing(
        .float,
        with: #"^(?:[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"#
          + #"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"#)
  }

  private static func convert(_ node: Node) throws -> SourceNode {
    let position = node.mark.map { Position(line: $0.line, column: $0.column) }
    switch node {
    case .mapping(let mapping):
      var members: [Member] = []
      var keys: Set<String> = []
      for (key, value) in mapping {
        let position = key.mark.map { Position(line: $0.line, column: $0.column) }
        guard let text = key.string else {
          throw Mistake(reason: "has a key that is a list or a mapping; a key is a text", position: position)
        }
        // The parser compares keys with their types: 1 and "1" are different keys of YAML.
        guard keys.insert(text).inserted else {
          throw Mistake(reason: "has the key \"\(text)\" twice", position: position)
        }
        members.append(Member(key: text, position: position, value: try convert(value)))
      }
      return .mapping(members, position)
    case .sequence(let sequence):
      return .sequence(try sequence.map { try convert($0) }, position)
    case .scalar(let scalar): return convert(node, scalar.string, position)
    case .alias: return .literal("null", position)
    }
  }

  private static func convert(_ node: Node, _ text: String, _ position: Position?) -> SourceNode {
    switch node.tag.description {
    case "tag:yaml.org,2002:null": .literal("null", position)
    case "tag:yaml.org,2002:bool":
      node.bool.map { .literal($0 ? "true" : "false", position) } ?? .string(text, position)
    case "tag:yaml.org,2002:int":
      (Int(text) ?? node.int).map { .literal("\($0)", position) }
        ?? node.scalar.flatMap(UInt64.construct).map { .literal("\($0)", position) } ?? .string(text, position)
    case "tag:yaml.org,2002:float":
      (Double(text) ?? node.float).map {
        $0.isFinite ? .literal("\($0)", position) : .string($0 > 0 ? "inf" : text, position)
      } ?? .string(text, position)
    default: .string(text, position)
    }
  }

  /// The error of a text that is YAML, but not that of a cells file.
  struct Mistake: Error {
    let reason: String
    var position: Position?
  }

  // MARK: Writing JSON

  var json: [UInt8] {
    var bytes = FlatBuffer<UInt8>(capacity: 16 << 10)
    write(to: &bytes)
    return Array(bytes.values)
  }

  private func write(to bytes: inout FlatBuffer<UInt8>) {
    switch self {
    case .literal(let text, _): for byte in text.utf8 { bytes.append(byte) }
    case .string(let text, _): bytes.append(json: text, .numbers)
    case .sequence(let elements, _):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .mapping(let members, _):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(json: member.key, .numbers)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
