import Foundation

/// A JSON document that tests inspect and modify.
public indirect enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  /// The members in the order of their keys.
  case object([String: JSON])

  public init(parsing data: Data) throws {
    self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    // Booleans are numbers of the type `char`.
    case let number as NSNumber:
      let isBool = number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c"))
      self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map(JSON.init))
    case let members as [String: Any]: self = .object(members.mapValues(JSON.init))
    default: self = .null
    }
  }

  public subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  public var object: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

  /// The document as text on one line.
  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",")
        + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
