/// An error in a cells file or in a row, with its path.
public struct CellError: Error, Equatable, Sendable {
  public var message: String
  /// The path from the outermost component to the innermost one: `cells`, `PhotoCell`, `layout`, `children`, `0`.
  public var path: [String]

  public init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }

  public func within(_ component: String) -> CellError { CellError(message, path: [component] + path) }

  public func within(contentsOf outer: [String]) -> CellError { CellError(message, path: outer + path) }

  /// The message with its path, as in `layout.children[2].style: …`.
  public var description: String {
    path.isEmpty ? message : "\(Self.format(path)): \(message)"
  }

  public static func format(_ path: [String]) -> String {
    var text = ""
    for component in path {
      if Int(component) != nil {
        text += "[\(component)]"
      } else {
        text += text.isEmpty ? component : ".\(component)"
      }
    }
    return text
  }
}
