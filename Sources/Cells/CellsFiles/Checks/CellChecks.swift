import CellTemplates
import LayoutEngine

/// A warning about something in a cells file that is allowed, but probably not meant. The checks follow Texture's
/// layout debugging guide.
public struct CellWarning: Equatable, Sendable {
  public let line: Int?
  public let column: Int?
  /// The path in the cells file: `cells.PhotoCell.layout.children[1].style.flexGrow`.
  public let path: String
  public let message: String
  /// The cell class, if the warning does not apply to rows that set their own constrainedSize.
  public let voidedByConstrainedSize: String?
}

extension CellWarning {
  /// Creates a warning about a path such as `cells`, `PhotoCell`, `layout`.
  init(_ path: [String], _ message: String, in source: SourceNode?, voidedByConstrainedSize cell: String? = nil) {
    let position = source?.position(of: path)
    self.init(
      line: position?.line, column: position?.column, path: CellError.format(path),
      message: message + (position?.use?.text ?? ""), voidedByConstrainedSize: cell)
  }
}

/// A search in the elements of a cells file for options that have no effect where they are written, and for elements
/// that will have no size.
struct CellChecks {
  private let source: SourceNode
  private(set) var warnings: [CellWarning] = []

  init(_ source: SourceNode) {
    self.source = source
    let generation: LayoutGeneration = source["generation"]?.text == "1" ? .first : .second
    for font in source.members(of: "fonts") {
      let (path, size) = (["fonts", font.key], font.value["size"])
      warn(path + ["lineHeight"], TextChecks.multiple(font.value["lineHeight"], ofSize: size))
      warn(path + ["size"], TextChecks.multiple(size))
    }
    for cell in source.members(of: "cells") {
      guard let layout = cell.value["layout"] else { continue }
      check(layout, ["cells", cell.key, "layout"], .cell(CellTraits(layout, generation)))
    }
    for (path, message) in GenerationChecks.warnings(source) { warn(path, message) }
    warnings.sort { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
  }

  private mutating func check(_ element: SourceNode, _ path: [String], _ around: Surroundings) {
    guard case .string(let type, _)? = element["type"] else { return }
    for member in element.members(of: "style") {
      let path = path + ["style", member.key]
      if let message = StyleChecks.warning(member.key, member.value, of: type, element, around) {
        warn(path, message)
      } else {
        let grows = member.key == "flexGrow" && !member.value.isZero
        warn(path, grows ? SizeChecks.idleGrowth(around) : nil, isOfList: true)
        warn(path, StyleChecks.idleWidth(member.key, member.value, of: type, around), isOfList: true)
      }
    }
    warn(path + ["style", "flexBasis"], StyleChecks.basisBesideLength(element["style"], around))
    warn(path, SizeChecks.missingSize(of: element, type, around), isOfList: true)
    checkStacks(element, type, path, around)
    for (key, text) in Self.texts(of: element) { warn(path + key, TextChecks.warning(text)) }
    if type == "text" { checkText(element, path) }
    warn(path + ["when"], Self.absentChild(element, around))
    if type == "static" { warn(path, Self.idleStatic(element)) }
    for (child, key, role) in element.children {
      check(child, path + key, around.inside(element, type, path, role, child))
    }
  }

  private mutating func checkText(_ element: SourceNode, _ path: [String]) {
    let font = element["font"]?.text.flatMap { source["fonts"]?[$0] }
    warn(path + ["lineHeight"], TextChecks.multiple(element["lineHeight"], ofSize: font?["size"]))
    warn(path + ["textWrap"], TextChecks.idleWrapping(element))
    warn(path + ["hyphens"], TextChecks.idleHyphens(element, in: source))
    for key in TextChecks.idleMarks(element) { warn(path + [key], "has no effect without marks") }
  }

  private mutating func checkStacks(_ element: SourceNode, _ type: String, _ path: [String], _ around: Surroundings) {
    switch type {
    case "stack":
      for (key, message) in StackChecks.replacedAlignments(element) { warn(path + [key], message) }
      for (key, message) in StackChecks.warnings(element, around) {
        warn(path + [key], message, isOfList: key == "justifyContent")
      }
    case "center": warn(path, StackChecks.idleCentering(element, around), isOfList: true)
    case "spec": warn(path, StackChecks.emptySpacer(element, around), isOfList: true)
    case "scroll": warn(path, StackChecks.emptyScroll(around), isOfList: true)
    default: break
    }
  }

  /// Returns the texts of an element with their paths inside it.
  private static func texts(of element: SourceNode) -> [([String], String)] {
    var texts = ["text", "title", "url"].compactMap { key in element[key]?.text.map { ([key], $0) } }
    for (index, run) in element.list(of: "runs").enumerated() {
      if let text = run["text"]?.text { texts.append((["runs", "\(index)", "text"], text)) }
    }
    return texts
  }

  /// Returns a warning about a child that may be absent: its spec remains as an empty spec.
  private static func absentChild(_ element: SourceNode, _ around: Surroundings) -> String? {
    guard element["when"] != nil, around.role == "child", let parent = around.parent else { return nil }
    let name = withArticle(parent)
    let second = ["overlay", "background", "corner"].contains(parent) ? ", and without its \(parent)" : ""
    return "without its child \(name) is laid out as an empty spec\(second); put the condition on the \(parent) itself"
  }

  /// Returns a warning about a static none of whose children has a position or a size range, for which alone a static
  /// is useful.
  private static func idleStatic(_ element: SourceNode) -> String? {
    let children = element.list(of: "children")
    let isUsed = children.contains { child in
      ["layoutPosition", "sizeRange", "preferredFrameSize"].contains { child["style"]?[$0] != nil }
    }
    guard !isUsed, !children.isEmpty else { return nil }
    return children.count == 1
      ? "does nothing: its child has neither layoutPosition nor sizeRange; leave the static out"
      : "puts its children over each other: none has a layoutPosition or sizeRange; use a stack, or a wrapper if that is "
        + "meant"
  }

  /// Adds a warning unless the message is nil.
  ///
  /// - Parameter isOfList: whether the warning applies only to cells in the list's width and any height.
  private mutating func warn(_ path: [String], _ message: String?, isOfList: Bool = false) {
    guard let message else { return }
    let cell = isOfList && path.count > 1 ? path[1] : nil
    warnings.append(CellWarning(path, message, in: source, voidedByConstrainedSize: cell))
  }
}

/// Returns the name of an element type with its article: `an inset`, `a stack`. The type nil is the cell.
func withArticle(_ type: String?) -> String {
  guard let type else { return "the cell" }
  return (["a", "i", "o"].contains(type.prefix(1)) ? "an " : "a ") + type
}
