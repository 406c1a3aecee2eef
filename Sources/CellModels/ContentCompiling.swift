import Buffers
import LayoutEngine
import TextMeasurement

/// What elements contain beside other elements: a text's runs, a button's image and title.
extension TemplateCompiler {
  mutating func compileContent(
    _ draft: ElementDraft, of type: ElementType, at index: Int32, _ value: JSONValue
  ) throws(CellError) {
    switch type {
    case .text: templates.elements.base[Int(index)].text = try compileText(draft.text, value)
    case .ratio where value.member("ratio") == nil: throw CellError("needs a ratio (height over width)")
    default: break
    }
  }

  private mutating func compileText(_ draft: TextDraft, _ value: JSONValue) throws(CellError) -> Int32 {
    var runs = Span(first: Int32(templates.runs.count))
    switch (value.member("text"), value.member("runs")) {
    case (let text?, nil):
      do throws(CellError) { templates.runs.append(try compileRun(text, draft, nil)) } catch {
        throw error.within("text")
      }
    case (nil, let list?):
      guard list.kind == .array else { throw wrongType(list, "a list of {text, font}").within("runs") }
      try list.forEachElement { (position, run) throws(CellError) in
        do throws(CellError) { templates.runs.append(try compileRun(run, draft)) } catch {
          throw error.within("\(position)").within("runs")
        }
      }
    case (_?, _?): throw CellError("has both text and runs; give one of them")
    case (nil, nil): throw CellError("needs a text or runs")
    }
    runs.count = Int32(templates.runs.count) - runs.first
    templates.texts.append(TextTemplate(runs: runs, options: draft.options))
    return Int32(templates.texts.count - 1)
  }

  /// One of several runs: {text, font, lineHeight, letterSpacing}.
  private mutating func compileRun(_ run: JSONValue, _ draft: TextDraft) throws(CellError) -> RunTemplate {
    guard run.isObject else { throw wrongType(run, "an object such as {text: …, font: …}") }
    var own = ElementDraft()
    own.text = draft
    var text: JSONValue?
    try run.forEachMember { (key, property) throws(CellError) in
      do throws(CellError) {
        switch Keyword.named(key) {
        case .text: text = property
        case .font?, .lineHeight?, .letterSpacing?:
          guard let keyword = Keyword.named(key) else { return }
          try own.read(keyword, of: .text, property, reader, fonts: fonts, sizes: &templates.sizes)
        default:
          throw CellError(
            "is not a property of a run"
              + didYouMean(key.string, among: ["text", "font", "lineHeight", "letterSpacing"]))
        }
      } catch {
        throw error.within(key.string)
      }
    }
    guard let text else { throw CellError("needs a text") }
    return try compileRun(text, own.text, "text")
  }

  private mutating func compileRun(
    _ text: JSONValue, _ draft: TextDraft, _ component: String?
  ) throws(CellError) -> RunTemplate {
    guard let string = text.string else {
      let error = wrongType(text, "a string")
      throw component.map { error.within($0) } ?? error
    }
    return RunTemplate(expression: try expression(string), style: try style(draft))
  }

  /// The style of a run: its font's, or the first font's, with what the run says of itself.
  func style(_ draft: TextDraft) throws(CellError) -> TextStyle {
    guard let first = fonts.styles.first else {
      throw CellError("needs a font, but the cells file has none; add one under fonts:")
    }
    var style = draft.font == absent ? first : fonts.styles[Int(draft.font)]
    if !draft.lineHeight.isNaN { style.lineHeight = draft.lineHeight }
    if !draft.letterSpacing.isNaN { style.letterSpacing = draft.letterSpacing }
    return style
  }

  /// Properties of a button that go into its layout spec instead of itself.
  static func shapesButton(_ keyword: Keyword) -> Bool {
    switch keyword {
    case .imageSize, .font, .contentSpacing, .laysOutHorizontally, .contentEdgeInsets, .imageAlignment: true
    default: false
    }
  }

  /// ButtonNode's layout spec: a stack of image and title, inset when it has content edge insets
  /// (layout-semantics 3.1). A preferredFrameSize is the size of the whole.
  mutating func compileButton(_ value: JSONValue, at index: Int32) throws(CellError) {
    let button = templates.elements[Int(index)]
    let frameSize = button.element.calculatedSize
    templates.elements.base[Int(index)].element = .node
    var opened: [Int32] = []
    var parent = index
    func synthetic(_ element: Element, _ type: ElementType, _ role: Keyword) -> TemplateElement {
      TemplateElement(element: element, type: type, parent: parent, role: role)
    }
    if let frameSize {
      var wrapper = synthetic(.wrapper, .wrapper, .layout)
      var style = LayoutElementStyle()
      style.preferredSize = frameSize
      templates.styles.append(style)
      wrapper.style = Int32(templates.styles.count - 1)
      parent = open(wrapper, &opened)
    }
    if let written = value.member("contentEdgeInsets"), let insets = try reader.insets(written),
      insets != EdgeInsets()
    {
      parent = open(synthetic(.inset(insets), .inset, .layout), &opened)
    }
    parent = open(synthetic(.stack(try buttonStack(value)), .stack, .layout), &opened)

    var image = value.member("imageSize") == nil ? nil : synthetic(.node, .image, .imageSize)
    if image != nil, let written = value.member("imageSize"), let size = try reader.size(written) {
      image?.element = .node(calculatedSize: size)
    }
    var title = value.member("title") == nil ? nil : synthetic(.text, .text, .title)
    if title != nil { title?.text = try compileTitle(value) }
    title?.vanishesWhenEmpty = true
    let alignment = try value.member("imageAlignment").flatMap { (written) throws(CellError) in
      try reader.choice(written, [("beginning", false), ("end", true)])
    }
    for child in alignment == true ? [title, image] : [image, title] {
      guard let child else { continue }
      templates.elements.append(child)
      close(Int32(templates.elements.count - 1))
    }
    for index in opened.reversed() { close(index) }
  }

  private func buttonStack(_ value: JSONValue) throws(CellError) -> StackOptions {
    var options = StackOptions()
    let horizontal = try value.member("laysOutHorizontally").flatMap { (written) throws(CellError) in
      try reader.boolean(written)
    }
    options.direction = horizontal ?? true ? .horizontal : .vertical
    options.spacing =
      try value.member("contentSpacing").flatMap { (written) throws(CellError) in try reader.number(written) } ?? 8
    options.apply(horizontal: .middle, vertical: .center)
    return options
  }

  private mutating func compileTitle(_ value: JSONValue) throws(CellError) -> Int32 {
    guard let title = value.member("title"), let text = title.string else {
      throw CellError("must be a string").within("title")
    }
    var draft = TextDraft()
    if let font = value.member("font"), let name = font.string { draft.font = try fonts.index(of: name) }
    let run = RunTemplate(expression: try expression(text), style: try style(draft))
    templates.runs.append(run)
    templates.texts.append(
      TextTemplate(runs: Span(first: Int32(templates.runs.count - 1), count: 1), options: draft.options))
    return Int32(templates.texts.count - 1)
  }

  private mutating func open(_ element: TemplateElement, _ opened: inout [Int32]) -> Int32 {
    templates.elements.append(element)
    let index = Int32(templates.elements.count - 1)
    opened.append(index)
    return index
  }

  private mutating func close(_ index: Int32) {
    templates.elements.base[Int(index)].end = Int32(templates.elements.count)
  }
}
