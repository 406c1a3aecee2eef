import Buffers
import LayoutEngine

/// The layout spec of a button: a stack of image and title, inside an inset if it has content edge insets
/// (layout-semantics 3.1). A preferredFrameSize is the size of the whole button.
extension TemplateCompiler {
  /// A property of a button as it is written, and the property of the button's part that it sets.
  private typealias PartProperty = (written: Keyword, keyword: Keyword)

  mutating func compileButton(_ value: JSONValue, at index: Int32) throws(CellError) {
    var opened = [index]
    if value.member("style")?.member("preferredFrameSize") != nil {
      let size: Keyword = generation == .first ? .preferredFrameSize : .preferredSize
      try open(.wrapper, ElementDraft(generation), [(.preferredFrameSize, size)], value, &opened)
    }
    let behind = value.member("backgroundImage").flatMap { $0.boolean == false ? nil : Int32(templates.elements.count) }
    if behind != nil { try open(.background, ElementDraft(generation), [], value, &opened) }
    if value.member("contentEdgeInsets") != nil {
      try open(.inset, ElementDraft(generation), [(.contentEdgeInsets, .insets)], value, &opened)
    }
    let properties: [PartProperty] = [
      (.laysOutHorizontally, .laysOutHorizontally), (.contentSpacing, .spacing),
      (.contentHorizontalAlignment, .horizontalAlignment), (.contentVerticalAlignment, .verticalAlignment),
    ]
    try open(.stack, stackDraft, properties, value, &opened)
    try compileImageAndTitle(value, &opened)
    while let last = opened.last, last != index, last != behind { close(opened.removeLast()) }
    if behind != nil { try compileImage(value, .background, &opened) }
    for index in opened.dropFirst().reversed() { close(index) }
  }

  private var stackDraft: ElementDraft {
    var draft = ElementDraft(generation)
    draft.stack.spacing = 8
    draft.horizontalAlignment = .middle
    draft.verticalAlignment = .center
    return draft
  }

  private mutating func compileImageAndTitle(_ value: JSONValue, _ opened: inout [Int32]) throws(CellError) {
    let positions = try imagePositions(value)
    if let position = positions.first { try compileImage(value, position, &opened) }
    if value.member("title") != nil {
      try compileTitle(value, &opened)
    } else {
      _ = try compileApart(Self.titleProperties, of: .text, value)
    }
    if let position = positions.last { try compileImage(value, position, &opened) }
  }

  /// Returns the image positions that are compiled before and after the title.
  private mutating func imagePositions(_ value: JSONValue) throws(CellError) -> (
    first: ImagePosition?, last: ImagePosition?
  ) {
    // The image at each of the two positions has a patch of its own.
    let (alignment, isBound) = try compileApart([.imageAlignment], of: .button, value)
    guard value.member("imageSize") != nil else { return (nil, nil) }
    if isBound { return (.beginning, .end) }
    return alignment.imageAlignsAtEnd ? (nil, .only) : (.only, nil)
  }

  /// Reads properties of a button that no part of it has, and returns their values and whether any of them depends on the row.
  private mutating func compileApart(
    _ keywords: [Keyword], of type: ElementType, _ value: JSONValue
  ) throws(CellError) -> (draft: ElementDraft, isBound: Bool) {
    var draft = ElementDraft(generation)
    let firstPatch = templates.patches.count
    defer { templates.patches.truncate(to: firstPatch) }
    for keyword in keywords {
      guard let written = value.member(keyword.bytes) else { continue }
      try attempt(keyword.name) { (compiler) throws(CellError) in
        try compiler.compile(keyword, as: keyword, written, of: type, &draft, firstPatch: firstPatch)
      }
    }
    return (draft, templates.patches.count > firstPatch)
  }

  private mutating func compileImage(
    _ value: JSONValue, _ position: ImagePosition, _ opened: inout [Int32]
  ) throws(CellError) {
    let properties: [Keyword] =
      switch position {
      case .only: [.imageSize]
      case .beginning, .end: [.imageSize, .imageAlignment]
      case .background: [.backgroundImage]
      }
    let image = try open(.image, ElementDraft(generation), properties.map { ($0, $0) }, value, &opened).index
    templates.elements.base[Int(image)].imagePosition = position
    close(opened.removeLast())
  }

  private static let titleProperties: [Keyword] = [.font, .maximumNumberOfLines, .truncation]

  private mutating func compileTitle(_ value: JSONValue, _ opened: inout [Int32]) throws(CellError) {
    var own = ElementDraft(generation)
    own.style.flexShrink = 1
    let (title, draft) = try open(.text, own, Self.titleProperties.map { ($0, $0) }, value, &opened)
    let first = Int32(templates.runs.count)
    try attempt("title") { (compiler) throws(CellError) in
      guard let text = value.member("title") else { return }
      try compiler.compileRun(text, draft.text)
    }
    let runs = BufferRange(first: first, count: Int32(templates.runs.count) - first)
    templates.elements.base[Int(title)].text = templates.texts.add(TextTemplate(runs: runs, draft: draft.text))
    close(opened.removeLast())
  }

  /// Adds a part of the button inside the part that was opened last, and returns its index and draft.
  @discardableResult
  private mutating func open(
    _ type: ElementType, _ draft: ElementDraft, _ properties: [PartProperty], _ button: JSONValue,
    _ opened: inout [Int32]
  ) throws(CellError) -> (index: Int32, draft: ElementDraft) {
    var part = TemplateElement(element: .spec, type: type, parent: opened.last ?? absent)
    part.isSynthetic = true
    let index = templates.elements.add(part)
    opened.append(index)
    var draft = draft
    let firstPatch = templates.patches.count
    for (written, keyword) in properties {
      let isInStyle = Keyword.ofStyle.all.contains(written)
      guard let value = (isInStyle ? button.member("style") : button)?.member(written.bytes) else { continue }
      // A mistake in the style was noted when the button's own style was read.
      let noted = mistakes.count
      try attempt(written.name) { (compiler) throws(CellError) in
        try compiler.compile(keyword, as: written, value, of: type, &draft, firstPatch: firstPatch)
      }
      if isInStyle { forgetMistakes(from: noted) }
    }
    finish(index, draft, of: type, firstPatch: firstPatch, hasStyle: type == .wrapper || type == .text)
    return (index, draft)
  }

  private mutating func close(_ index: Int32) {
    templates.elements.base[Int(index)].end = Int32(templates.elements.count)
  }
}
