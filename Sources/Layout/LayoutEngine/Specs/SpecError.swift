/// An error in a cell, with the path of the element or value in which it is.
public struct SpecError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The description of the error, which does not name the element.
  public var message: String
  /// The path from the outermost component to the innermost one: `["layout", "children", "2"]` is the third child of the
  /// cell's spec.
  public var path: [String]

  /// Creates an error.
  public init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }

  /// Returns the error with a component before its path.
  public func within(_ component: String) -> SpecError { SpecError(message, path: [component] + path) }

  /// Returns the error with components before its path.
  public func within(contentsOf outer: [String]) -> SpecError { SpecError(message, path: outer + path) }

  /// The message with its path, as in `layout.children[2].style: …`.
  public var description: String { path.isEmpty ? message : "\(Self.format(path)): \(message)" }

  /// Returns a path as a text, such as `layout.children[2].style`.
  public static func format(_ path: [String]) -> String {
    path.reduce(into: "") { text, component in
      text += Int(component) != nil ? "[\(component)]" : text.isEmpty ? component : ".\(component)"
    }
  }
}
