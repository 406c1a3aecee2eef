import Buffers
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
    var text = TextTemplate(runs: runs, draft: draft)
    if let marks = value.member("marks") {
      try attempt("marks") { (compiler) throws(CellError) in
        guard let field = marks.string else { throw wrongType(marks, "the name of an array field") }
        text.marks = try compiler.path(field.withoutBraces)
      }
    }
    return templates.texts.add(text)
  }

  private mutating func compileRuns(_ list: JSONValue, _ draft: TextDraft) throws(CellError) {
    if let field = list.string, Self.isDynamic(field) { return try compileRuns(ofField: field, list, draft) }
    guard list.kind == .array else { throw wrongType(list, "a list of {text, font}, or a field with one: \"{spans}\"") }
    try list.forEachElement { (position, run) throws(CellError) in
      try attempt("\(position)") { (compiler) throws(CellError) in
        try compiler.compileStyledRun(run, draft, Int32(position))
      }
    }
  }

  /// Compiles the runs that rows have in an array field: `runs: "{spans}"`. It is a run with a `forEach` whose properties are
  /// those of the items.
  private mutating func compileRuns(
    ofField field: ByteString, _ written: JSONValue, _ draft: TextDraft
  ) throws(CellError) {
    let binding = field.trimmed
    let isOptional = binding.count > 1 && binding.slice(0, binding.count - 1).trimmed.hasSuffix(UInt8(ascii: "?"))
    let loop = try openLoop(over: field, ItemFields.run, isRequired: !isOptional)
    defer { closeLoop() }
    let firstPatch = templates.patches.count
    // No warning is due if no row has one of these fields.
    let element = currentElement
    currentElement = absent
    defer { currentElement = element }
    let (url, kind) = (try expression(ItemFields.url), try expression(ItemFields.kind))
    for (keyword, field) in ItemFields.optional {
      let dependent = templates.dependents.add(.expression(try expression(field)))
      templates.patches.append(Patch(keyword, writtenAs: keyword, value: written, dependent: dependent))
    }
    let patches = BufferRange(first: Int32(firstPatch), count: Int32(templates.patches.count - firstPatch))
    try appendRun(expression(ItemFields.text), draft, patches: patches, loop: loop, url: url, kind: kind)
  }

  /// The fields of the items of `runs: "{spans}"`, as bindings.
  private enum ItemFields {
    static let run = ByteString(keeping: "run")
    static let text = ByteString(keeping: "{run.text}")
    static let url = ByteString(keeping: "{run.url?}")
    static let kind = ByteString(keeping: "{run.kind?}")
    static let optional: [(Keyword, ByteString)] =
      [Keyword.font, .lineHeight, .letterSpacing, .baselineOffset, .attachment].map {
        ($0, ByteString(keeping: "{run.\($0.name)?}"))
      }
  }

  /// Compiles one of several runs: {text, font, lineHeight, letterSpacing, …}.
  private mutating func compileStyledRun(
    _ run: JSONValue, _ draft: TextDraft, _ position: Int32
  ) throws(CellError) {
    guard run.isObject else { throw wrongType(run, "an object such as {text: …, font: …}") }
    let loop = try compileLoop(run, role: .runs)
    defer { if loop != absent { closeLoop() } }
    var own = ElementDraft(generation)
    let firstPatch = templates.patches.count
    try run.forEachMember { (key, property) throws(CellError) in
      try attempt(key.string) { (compiler) throws(CellError) in
        guard let keyword = Keyword.named(key), Keyword.ofRun.all.contains(keyword) else {
          throw CellError("is not a property of a run\(didYouMean(key.string, among: Keyword.ofRun.all.map(\.name)))")
        }
        if ![.text, .url, .kind, .forEach, .as, .limit].contains(keyword) {
          try compiler.compile(keyword, as: keyword, property, of: .text, &own, firstPatch: firstPatch)
        }
      }
    }
    let text = run.member("text")
    try RunTemplate.checkContent(hasText: text != nil, hasAttachment: run.member("attachment") != nil)
    let patches = BufferRange(first: Int32(firstPatch), count: Int32(templates.patches.count - firstPatch))
    let (url, kind) = (try expression(ofMember: "url", run), try expression(ofMember: "kind", run))
    try attempt("text") { (compiler) throws(CellError) in
      try compiler.appendRun(
        text.map { (text) throws(CellError) in try compiler.expression(of: text) } ?? absent, draft, own: own.text,
        patches: patches, position: position, loop: loop, url: url, kind: kind)
    }
  }

  /// Compiles a text of a run, or returns `absent` if the run has none.
  private mutating func expression(ofMember key: StaticString, _ run: JSONValue) throws(CellError) -> Int32 {
    guard let value = run.member(key) else { return absent }
    return try within("\(key)") { (compiler) throws(CellError) in try compiler.expression(of: value) }
  }

  /// Adds the only run of a text.
  mutating func compileRun(_ text: JSONValue, _ draft: TextDraft) throws(CellError) {
    try appendRun(expression(of: text), draft)
  }

  /// Adds a run of a text. Its own properties override those of the text.
  private mutating func appendRun(
    _ expression: Int32, _ draft: TextDraft, own: TextDraft = TextDraft(), patches: BufferRange = BufferRange(),
    position: Int32 = absent, loop: Int32 = absent, url: Int32 = absent, kind: Int32 = absent
  ) throws(CellError) {
    let mayBeAttachment =
      own.attachment != nil || patches.range.contains { templates.patches[$0].keyword == .attachment }
    templates.runs.append(
      RunTemplate(
        expression: expression, style: try fonts.style(of: own, in: draft), font: FontTable.font(of: own, in: draft),
        draft: own, patches: patches, position: position, loop: loop, url: url, kind: kind,
        mayBeSpan: mayBeAttachment || url != absent || kind != absent))
  }
}

extension RunTemplate {
  /// Throws an error unless a run has a text or an attachment.
  static func checkContent(hasText: Bool, hasAttachment: Bool) throws(CellError) {
    guard hasText || hasAttachment else { throw CellError("needs a text or an attachment") }
    guard !hasText || !hasAttachment else { throw CellError("has both text and attachment; give one of them") }
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
    if !run.baselineOffset.isNaN { style.baselineOffset = run.baselineOffset }
    style.attachment = run.attachment
    return style
  }

  /// Returns the index of the font of a run.
  static func font(of run: TextDraft, in text: TextDraft) -> Int32 {
    let font = run.font == absent ? text.font : run.font
    return font == absent ? 0 : font
  }
}
