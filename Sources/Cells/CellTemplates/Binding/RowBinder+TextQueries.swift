/// Rows with conditions that ask for the lines of their texts: `truncated("caption")`.
///
/// Such a row is bound as if no text were cut and none had lines, laid out, and bound again with the lines that its texts have,
/// until the tree stays the same.
extension RowBinder {
  /// Whether conditions of the bound row ask for the lines of texts.
  @inline(__always)
  public var queriesTexts: Bool { textQueries.count > 0 }

  /// The number of these conditions.
  public var textQueryCount: Int { Int(textQueries.count) }

  private var textQueries: BufferRange { state.row.compiled?.cell.textQueries ?? BufferRange() }

  private func query(_ index: Int) -> TextQuery {
    state.row.usesProgramTemplates ? program.templates.textQueries[index] : inline.pointee.templates.textQueries[index]
  }

  /// Binds the row as if no text were truncated, unless it is bound so. Returns whether it was bound.
  public func forgetTexts() throws(CellError) -> Bool {
    guard !values.pointee.texts.isEmpty else { return false }
    try bind(state.boundRange)
    return true
  }

  /// Notes the lines of the texts that conditions ask for.
  ///
  /// - Parameter lines: the elements of the row that are texts, with the lines that they have in the last layout.
  /// - Returns: whether they differ from those with which the row was bound.
  public func note(_ lines: [(element: Int32, lines: TextLines)]) -> Bool {
    let targets = Set(textQueries.range.map { query($0).target })
    var texts: [ElementInstance: TextLines] = [:]
    for (element, lines) in lines {
      let bound = state.elements[Int(element)]
      guard targets.contains(bound.template) else { continue }
      texts[instance(of: bound)] = lines
    }
    guard texts != values.pointee.texts else { return false }
    let changed = Set(texts.filter { values.pointee.texts[$0.key] != $0.value }.map(\.key.template))
    values.pointee.changedQuery = textQueries.range.first { changed.contains(query($0).target) }
    values.pointee.texts = texts
    return true
  }

  /// Binds the row with the lines that were noted. The layouts of nodes that the solver has requested are kept.
  public func bindWithTexts() throws(CellError) { try bindTemplates() }

  /// Returns the error of a row whose texts have other lines with what depends on them.
  public func contradiction() -> CellError {
    guard let index = values.pointee.changedQuery ?? textQueries.range.first else {
      return CellError("depends on the lines of its own texts")
    }
    let asked = query(index)
    return CellError(
      "depends on itself: the layout with the result of \(asked.written) has another result; give the text a size that does "
        + "not depend on it"
    ).within(contentsOf: path(ofTemplate: asked.element))
  }
}
