/// Checks for files that have names of AsyncDisplayKit 1.x, do not state their generation, and have layouts that both
/// generations lay out differently.
enum GenerationChecks {
  /// Returns one warning for each difference that the file meets, at the first element with it.
  static func warnings(_ source: SourceNode) -> [(path: [String], message: String)] {
    guard source["generation"] == nil else { return [] }
    let elements = source.members(of: "cells").flatMap { cell in
      cell.value["layout"]?.elements(at: ["cells", cell.key, "layout"]) ?? []
    }
    guard let name = elements.lazy.compactMap({ firstName($0.element) }).first else { return [] }
    return differences.compactMap { difference in
      guard let first = elements.first(where: { difference.applies($0.element) }) else { return nil }
      return (
        first.path,
        "\(difference.text), but \(name) is a name of 1.x; write generation: 1 or generation: 2 at the top of the file"
      )
    }
  }

  /// Returns the first name of 1.x that an element has.
  private static func firstName(_ element: SourceNode) -> String? {
    if element.isOf("static") { return "static" }
    let style = element["style"]
    if let key = ["sizeRange", "preferredFrameSize"].first(where: { style?[$0] != nil }) { return key }
    return ["flexGrow", "flexShrink"].first { key in ["true", "false"].contains(style?[key]?.text) }
      .map { "a \($0) of true or false" }
  }

  /// The differences that can be seen in the file (layout-semantics 11).
  private static let differences: [(text: String, applies: @Sendable (SourceNode) -> Bool)] = [
    (
      "stretches its children, which AsyncDisplayKit 1.x aligns to the start",
      { element in
        element.isOf("stack") && element["alignItems"] == nil && element["horizontalAlignment"] == nil
          && element["verticalAlignment"] == nil
          && element.children.contains { $0.element["style"]?["alignSelf"] == nil }
      }
    ),
    (
      "shrinks its children by their sizes, and AsyncDisplayKit 1.x all of them by the same length",
      { element in
        element.isOf("stack")
          && element.children.count { $0.element["style"]?["flexShrink"].map { !$0.isZero } ?? false } > 1
      }
    ),
    (
      "has a flexBasis that is a percentage of an exact length only, and in AsyncDisplayKit 1.x of the stack's maximum",
      { $0["style"]?["flexBasis"]?.text?.hasSuffix("%") ?? false }
    ),
    (
      "fills its room, and is 0 by 0 in AsyncDisplayKit 1.x",
      { element in
        element.isOf("node") && element["layout"] == nil && element["calculatedSize"] == nil
          && element["style"]?["preferredFrameSize"] == nil && element["style"]?["sizeRange"] == nil
      }
    ),
  ]
}

extension SourceNode {
  fileprivate func isOf(_ type: String) -> Bool { self["type"].map { $0.isString(type) } ?? false }
}
