import LayoutEngine

/// The refusal of what AsyncDisplayKit 1.9 does not have, in a file with `generation: 1`.
extension TemplateCompiler {
  /// - Parameter keys: the keys that the keyword is one of, as types share keywords.
  func checkGeneration(of keyword: Keyword, _ keys: PropertyKeys) throws(CellError) {
    switch generation {
    case .first where keys.second.contains(keyword):
      throw CellError(
        "is not in AsyncDisplayKit 1.9\(Self.replacement(of: keyword)); leave it out, or write generation: 2")
    case .second where keys.onlyFirst.contains(keyword):
      throw CellError("is only in AsyncDisplayKit 1.x; leave it out, or write generation: 1 at the top of the file")
    default: break
    }
  }

  func checkGeneration(of type: ElementType) throws(CellError) {
    guard generation == .first, CellFormat.element(named: type.name)?.generation == .second else { return }
    let replacement = type == .absolute ? "write static" : "leave it out"
    throw CellError("\"\(type.name)\" is not in AsyncDisplayKit 1.9; \(replacement), or write generation: 2").within(
      "type")
  }

  private static func replacement(of keyword: Keyword) -> String {
    switch keyword.size {
    case .exact: "; a node has preferredFrameSize, and a child of a static has sizeRange"
    case .minimum, .maximum: "; a child of a static has sizeRange"
    case nil: ""
    }
  }
}
