import Foundation
import Yams

/// A value of a cells file with its place, so that whatever is wrong can be shown where it is written.
indirect enum SourceNode: Sendable {
  struct Place {
    var line: Int
    var column: Int
  }

  struct Member {
    var key: String
    var place: Place?
    var value: SourceNode
  }

  case mapping([Member], Place?)
  case sequence([SourceNode], Place?)
  case string(String, Place?)
  /// A number, true, false or null, as JSON writes it.
  case literal(String, Place?)

  var place: Place? {
    switch self {
    case .mapping(_, let place), .sequence(_, let place), .string(_, let place), .literal(_, let place): place
    }
  }

  /// The place of what a path leads to, or of the last part of it that is there.
  func place(of path: [String]) -> Place? {
    guard let first = path.first else { return place }
    switch self {
    case .mapping(let members, _):
      guard let member = members.first(where: { $0.key == first }) else { return place }
      if path.count == 1 { return member.place ?? member.value.place }
      return member.value.place(of: Array(path.dropFirst())) ?? member.place
    case .sequence(let elements, _):
      guard let index = Int(first), elements.indices.contains(index) else { return place }
      return elements[index].place(of: Array(path.dropFirst()))
    default: return place
    }
  }

  subscript(key: String) -> SourceNode? {
    guard case .mapping(let members, _) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Whether nothing is written.
  var isEmpty: Bool {
    switch self {
    case .mapping(let members, _): members.isEmpty
    case .literal("null", _): true
    default: false
    }
  }

  // MARK: Reading YAML

  /// Values in a cells file, aliases counted as often as they are used.
  static let maxNodes = 1_000_000

  init(yaml: String) throws {
    guard let node = try Yams.compose(yaml: yaml) else {
      self = .mapping([], nil)
      return
    }
    var count = 0
    self = try Self.convert(node, &count)
  }

  private static func convert(_ node: Node, _ count: inout Int) throws -> SourceNode {
    count += 1
    guard count <= maxNodes else { throw TooLarge() }
    let place = node.mark.map { Place(line: $0.line, column: $0.column) }
    switch node {
    case .mapping(let mapping):
      var members: [Member] = []
      for (key, value) in mapping {
        members.append(
          Member(
            key: key.string ?? "", place: key.mark.map { Place(line: $0.line, column: $0.column) },
            value: try convert(value, &count)))
      }
      return .mapping(members, place)
    case .sequence(let sequence):
      var elements: [SourceNode] = []
      for element in sequence { elements.append(try convert(element, &count)) }
      return .sequence(elements, place)
    case .scalar(let scalar): return convert(node, scalar.string, place)
    case .alias: return .literal("null", place)
    }
  }

  private static func convert(_ node: Node, _ text: String, _ place: Place?) -> SourceNode {
    switch node.tag.description {
    case "tag:yaml.org,2002:null": .literal("null", place)
    case "tag:yaml.org,2002:bool": .literal(node.bool == true ? "true" : "false", place)
    case "tag:yaml.org,2002:int": node.int.map { .literal(String($0), place) } ?? .string(text, place)
    case "tag:yaml.org,2002:float":
      node.float.map { $0.isFinite ? .literal("\($0)", place) : .string($0 > 0 ? "inf" : text, place) }
        ?? .string(text, place)
    default: .string(text, place)
    }
  }

  struct TooLarge: Error {}

  // MARK: Writing JSON

  var json: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .literal(let text, _): bytes += text.utf8
    case .string(let text, _): Self.write(text, to: &bytes)
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
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
