import Buffers

/// A question of a condition about the lines of a text: `truncated("caption")` or `lineCount("caption")`.
struct TextQuery: BitwiseCopyable {
  enum Kind: UInt8, CaseIterable, BitwiseCopyable {
    /// Whether the text is cut.
    case truncated
    /// The number of lines that are shown.
    case lineCount

    fileprivate static let heads = allCases.map { (kind: $0, bytes: ByteString(keeping: "\($0)(")) }
  }

  let kind: Kind
  /// The id of the text.
  let name: ByteString
  /// The element with the condition, and the innermost `forEach` around it.
  let element: Int32
  let loop: Int32
  /// The text, which is known when its cell is compiled, and the number of `forEach`es around it.
  var target = absent
  var depth: Int32 = 0

  /// The query as errors quote it.
  var written: String { "\(kind)(\"\(name.excerpt)\")" }

  /// The form of the queries, for errors.
  static let form = "truncated(\"id\") or lineCount(\"id\")"
}

extension TemplateCompiler {
  /// Returns the root of a path that is a query, or nil if it is a field.
  mutating func textQuery(_ written: ByteString, isCondition: Bool) throws(CellError) -> FieldPath.Root? {
    guard written.contains(UInt8(ascii: "(")) else { return nil }
    for (kind, head) in TextQuery.Kind.heads {
      guard written.count > head.count, written.slice(0, head.count) == head, written.hasSuffix(UInt8(ascii: ")"))
      else { continue }
      guard isCondition else {
        throw CellError("\"\(written.string)\" is not a field; only conditions (when, if) ask for the lines of a text")
      }
      var name = written.slice(head.count, written.count - 1).trimmed
      for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")]
      where name.count >= 2 && name[0] == quote && name.hasSuffix(quote) {
        name = name.slice(1, name.count - 1)
      }
      guard currentElement != absent else {
        throw CellError(
          "\"\(written.string)\" belongs to an element of the layout; a cell has no condition on its texts")
      }
      let query = TextQuery(kind: kind, name: name, element: currentElement, loop: openLoops.last ?? absent)
      return .text(templates.textQueries.add(query))
    }
    let name = written.string.prefix { $0 != "(" }.lowercased()
    if isCondition && TextQuery.Kind.allCases.contains(where: { name.contains("\($0)".lowercased()) }) {
      throw CellError("\"\(written.string)\" is not a field; write \(TextQuery.form)")
    }
    return nil
  }

  /// Finds the texts of the queries from the index `first` on, which belong to the cell with a root element.
  mutating func resolveTextQueries(from first: Int, in root: Int32) throws(CellError) {
    let queries = first..<templates.textQueries.count
    var texts: [String: [Int32]] = [:]
    for index in root..<Int32(templates.elements.count) {
      let element = templates.elements[Int(index)]
      guard element.type == .text, !element.isSynthetic, !element.name.isEmpty else { continue }
      texts[element.name.string, default: []].append(index)
    }
    var asking: [Int32: TextQuery] = [:]
    for index in queries { asking[templates.textQueries[index].element] = templates.textQueries[index] }
    for index in queries {
      let query = templates.textQueries[index]
      do throws(CellError) {
        let target = try target(of: query, texts)
        try checkCircle(of: query, target, asking)
        templates.textQueries.base[index].target = target
        templates.textQueries.base[index].depth = Int32(loops(around: target).count)
      } catch {
        try note(error.within(contentsOf: templates.path(of: query.element)))
      }
    }
  }

  /// The most texts with one id from which the nearest one is chosen.
  private static let maxTextsOfOneName = 64

  private func target(of query: TextQuery, _ texts: [String: [Int32]]) throws(CellError) -> Int32 {
    let name = query.name.string
    guard let found = texts[name] else {
      let near = didYouMean(name, among: texts.keys)
      throw CellError("\(query.written) asks for a text that the cell does not have\(near); give the text this id")
    }
    // A template with a text and a condition that asks for it can be used several times.
    let own = templates.lineage(of: query.element)
    let shared = found.prefix(Self.maxTextsOfOneName).map { text in
      zip(own, templates.lineage(of: text)).prefix { $0 == $1 }.count
    }
    let nearest = shared.indices.filter { shared[$0] == shared.max() }
    guard found.count <= Self.maxTextsOfOneName, nearest.count == 1, let index = nearest.first else {
      throw CellError("\(query.written) asks for one of \(found.count) texts with this id; give them different ids")
    }
    let target = found[index]
    guard templates.loops(from: query.loop).starts(with: loops(around: target)) else {
      throw CellError(
        "\(query.written) asks for one text, but it is repeated by a forEach; ask inside the same forEach")
    }
    return target
  }

  /// Throws an error for a query whose text, or an element around it, depends on the lines of texts itself.
  ///
  /// - Parameter asking: a query of each element that has one.
  private func checkCircle(of query: TextQuery, _ target: Int32, _ asking: [Int32: TextQuery]) throws(CellError) {
    for element in templates.lineage(of: target) {
      guard let other = asking[element] else { continue }
      throw CellError(
        "\(query.written) asks for a text that itself, or with an element around it, depends on \(other.written); only one "
          + "of them can depend on the other")
    }
  }

  /// Returns the `forEach`es around an element and its own, the outermost first.
  private func loops(around element: Int32) -> [Int32] {
    let loops = templates.lineage(of: element).map { templates.elements[Int($0)].loop }
    return templates.loops(from: loops.last { $0 != absent } ?? absent)
  }
}
