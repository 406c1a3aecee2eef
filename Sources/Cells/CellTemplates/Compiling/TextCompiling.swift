import Buffers
import LayoutEngine
import TextMeasuring

/// The compilation of texts and their runs.
extension TemplateCompiler {
  mutating func compileText(_ draft: TextDraft, _ value: JSONValue) throws(CellError) -> Int32 {
    let first = Int32(templates.runs.count)
    switch (value.member("text"), value.member("runs")) {
    case (let text?, nil):
      try attempt("text") { (compiler) throws(CellError) in try compiler.compileRun(text, draft) }
    case (nil, let list?):
      try attempt("runs") { (compiler) throws(CellError) in try compiler.compileRuns(list, draft) }
    case (_?, _?): throw CellError("has both text and runs; give one of them")
    case (nil, nil): throw CellError("needs a text or runs")
    }
    let runs = BufferRange(first: first, count: Int32(templates.runs.count) - first)
    templates.texts.append(TextTemplate(runs: runs, draft: draft))
    return Int32(templates.texts.count - 1)
  }

  private mutating func compileRuns(_ list: JSONValue, _ draft: TextDraft) throws(CellError) {
    guard list.kind == .array else { throw wrongType(list, "a list of {text, font}") }
    try list.forEachElement { (position, run) throws(CellError) in
      try attempt("\(position)") { (compiler) throws(CellError) in
        try compiler.compileStyledRun(run, draft, Int32(position))
      }
    }
  }

  /// Compiles one of several runs: {text, font, lineHeight, letterSpacing}.
  private mutating func compileStyledRun(
    _ run: JSONValue, _ draft: TextDraft, _ position: Int32
  ) throws(CellError) {
    guard run.isObject else { throw wrongType(run, "an object such as {text: …, font: …}") }
    var own = ElementDraft(generation)
    let firstPatch = templates.patches.count
    try run.forEachMember { (key, property) throws(CellError) in
      try attempt(key.string) { (compiler) throws(CellError) in
        guard let keyword = Keyword.named(key), Keyword.ofRun.contains(keyword) else {
          throw CellError("is not a property of a run\(didYouMean(key.string, among: Keyword.ofRun.map(\.name)))")
        }
        if keyword != .text {
          try compiler.compile(keyword, as: keyword, property, of: .text, &own, firstPatch: firstPatch)
        }
      }
    }
    guard let text = run.member("text") else { throw CellError("needs a text") }
    let patches = BufferRange(first: Int32(firstPatch), count: Int32(templates.patches.count - firstPatch))
    try attempt("text") { (compiler) throws(CellError) in
      try compiler.compileRun(text, draft, own: own.text, patches: patches, position: position)
    }
  }

  /// Adds a run of a text. Its own properties override those of the text.
  mutating func compileRun(
    _ text: JSONValue, _ draft: TextDraft, own: TextDraft = TextDraft(), patches: BufferRange = BufferRange(),
    position: Int32 = absent
  ) throws(CellError) {
    let style = try fonts.style(of: own, in: draft)
    templates.runs.append(
      RunTemplate(
        expression: try expression(of: text), style: style, font: FontTable.font(of: own, in: draft), draft: own,
        patches: patches, position: position))
  }
}

extension FontTable {
  /// Returns the style of a run. The font is that of the run, of its text, or the first one; the other properties of
  /// the run and its text override those of the font.
  func style(of run: TextDraft, in text: TextDraft) throws(CellError) -> TextStyle {
    guard !styles.isEmpty else {
      throw CellError("needs a font, but the cells file has none; add one under fonts:")
    }
    var style = styles[Int(Self.font(of: run, in: text))]
    let lineHeight = run.lineHeight.isNaN ? text.lineHeight : run.lineHeight
    if !lineHeight.isNaN { style.lineHeight = lineHeight }
    let letterSpacing = run.letterSpacing.isNaN ? text.letterSpacing : run.letterSpacing
    if !letterSpacing.isNaN { style.letterSpacing = letterSpacing }
    return style
  }

  /// Returns the index of the font of a run.
  static func font(of run: TextDraft, in text: TextDraft) -> Int32 {
    let font = run.font == absent ? text.font : run.font
    return font == absent ? 0 : font
  }
}
