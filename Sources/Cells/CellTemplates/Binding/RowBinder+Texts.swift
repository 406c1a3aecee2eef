import Buffers
import TextMeasuring

/// The binding of texts and their runs.
extension RowBinder {
  /// Adds a text and its runs, and returns the text's index.
  ///
  /// - Parameter draft: the text's properties apart from its runs, or nil if they do not depend on the row.
  func bindText(
    _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ values: RowValues,
    _ draft: UnsafePointer<TextDraft>?
  ) throws(CellError) -> Int32 {
    let text = values.templates.pointee.texts.base + Int(template.pointee.text)
    let (first, firstSpan) = (state.runs.count, state.spans.count)
    for number in text.pointee.runs.range {
      let run = values.templates.pointee.runs.base + number
      if run.pointee.loop == absent {
        try bindRun(run, template, index, values, draft)
      } else {
        try bindRepeated(run, template, index, values, draft)
      }
    }
    if text.pointee.marks != absent {
      try applyMarks(
        text.pointee.marks, from: first, firstSpan, draft?.pointee ?? text.pointee.draft, at: index, values)
    }
    if state.runs.count == first { try bindEmptyRun(text, draft) }
    if let draft {
      try append(draft.pointee, firstRun: first, index, values)
    } else if text.pointee.draft.additionalTruncationMessage.isEmpty {
      add(text.pointee.draft.placement)
      state.texts.append(
        BoundText(firstRun: first, runCount: state.runs.count - first, options: text.pointee.options))
    } else {
      try append(text.pointee.draft, firstRun: first, index, values)
    }
    if state.spans.count > firstSpan { addSpans(from: firstSpan, firstRun: first) }
    if text.pointee.marks != absent || text.pointee.runs.count != 1
      || (values.templates.pointee.runs.base + text.pointee.runs.range.lowerBound).pointee.isOfList
    {
      try addStyle(text, draft)
    }
    return Int32(truncatingIfNeeded: state.texts.count - 1)
  }

  /// Gives the text that was added last its spans, which have the indices of the row's runs so far.
  @inline(never)
  private func addSpans(from first: Int, firstRun: Int) {
    for span in first..<state.spans.count { state.spans.base[span].run -= firstRun }
    state.texts.base[state.texts.count - 1].spans = BufferRange(
      first: Int32(truncatingIfNeeded: first), count: Int32(truncatingIfNeeded: state.spans.count - first))
  }

  /// Adds a text whose truncation string may have a further message. Texture: `-[ASTextNode _locked_composedTruncationText]`.
  @inline(never)
  private func append(
    _ draft: TextDraft, firstRun: Int, _ index: Int32, _ values: RowValues
  ) throws(CellError) {
    add(draft.placement)
    var bound = BoundText(firstRun: firstRun, runCount: state.runs.count - firstRun, options: draft.options)
    if !draft.additionalTruncationMessage.isEmpty {
      if draft.statesTruncation {
        arena.pointee.append(bound.options.truncation.bytes)
        arena.pointee.append(" ")
      }
      arena.pointee.append(draft.additionalTruncationMessage.bytes)
      do throws(CellError) { bound.options.truncation = try counted(arena.pointee.finish()) } catch {
        throw error.within("additionalTruncationMessage").within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    state.texts.append(bound)
  }

  /// Gives the text that was added last the style of its own font. A text with runs that states none has that of its first run.
  @inline(never)
  private func addStyle(
    _ text: UnsafeMutablePointer<TextTemplate>, _ draft: UnsafePointer<TextDraft>?
  ) throws(CellError) {
    let own = draft?.pointee ?? text.pointee.draft
    guard own.font != absent || text.pointee.marks != absent else { return }
    state.texts.base[state.texts.count - 1].style = try fonts.style(of: TextDraft(), in: own)
  }

  /// Adds an empty run to a text without runs. The line of an empty text has the font of its run.
  @inline(never)
  private func bindEmptyRun(_ text: UnsafeMutablePointer<TextTemplate>, _ draft: UnsafePointer<TextDraft>?)
    throws(CellError)
  {
    let plain = draft?.pointee ?? text.pointee.draft
    state.runs.append(
      TextRun(
        text: .empty, style: try fonts.style(of: TextDraft(), in: plain),
        font: FontTable.font(of: TextDraft(), in: plain)))
  }

  /// Adds a run of a text for each item of its loop.
  @inline(never)
  private func bindRepeated(
    _ run: UnsafeMutablePointer<RunTemplate>, _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32,
    _ values: RowValues, _ draft: UnsafePointer<TextDraft>?
  ) throws(CellError) {
    try forEachItem(of: run.pointee.loop, at: index, within: run.pointee.path, values) { () throws(CellError) in
      if run.pointee.position == absent { try checkItem(at: index, values) }
      try bindRun(run, template, index, values, draft)
    }
  }

  /// Checks the content of the innermost item, which is a run of an array field.
  private func checkItem(at index: Int32, _ values: RowValues) throws(CellError) {
    let innermost = state.items.count - 1
    let item = state.items[innermost]
    do throws(CellError) {
      guard item.isObject else { throw wrongType(item, "an object such as {text: …, font: …}") }
      let text = item.member("text")
      guard let attachment = item.member("attachment"), !attachment.isNull else {
        return try RunTemplate.checkContent(hasText: text != nil, hasAttachment: false)
      }
      try RunTemplate.checkContent(hasText: text?.string?.isEmpty == false, hasAttachment: true)
    } catch {
      throw error.within("\(state.itemNumbers[innermost])").within("runs")
        .within(contentsOf: values.templates.pointee.path(of: index))
    }
  }

  /// Adds a run of a text.
  @inline(__always)
  private func bindRun(
    _ run: UnsafeMutablePointer<RunTemplate>, _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32,
    _ values: RowValues, _ draft: UnsafePointer<TextDraft>?
  ) throws(CellError) {
    var (style, font) = (run.pointee.style, run.pointee.font)
    if draft != nil || run.pointee.patches.count > 0 {
      (style, font) = try self.style(of: run.pointee, template, index, values, draft)
    }
    if run.pointee.mayBeSpan { return try bindSpan(run, style, font, index, values) }
    do throws(CellError) {
      state.runs.append(
        TextRun(text: try counted(try values.text(run.pointee.expression)), style: style, font: font))
    } catch {
      throw error.within(template.pointee.isSynthetic ? "title" : "text").within(contentsOf: run.pointee.path)
        .within(contentsOf: values.templates.pointee.path(of: index))
    }
  }

  /// Adds a run that can have a URL, a kind or an attachment.
  @inline(never)
  private func bindSpan(
    _ run: UnsafeMutablePointer<RunTemplate>, _ style: TextStyle, _ font: Int32, _ index: Int32, _ values: RowValues
  ) throws(CellError) {
    func text(_ expression: Int32, _ property: String) throws(CellError) -> ByteString {
      guard expression != absent else { return .empty }
      do throws(CellError) { return try counted(try values.text(expression)) } catch {
        throw error.within(property).within(contentsOf: run.pointee.path)
          .within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    let characters = style.attachment == nil ? try text(run.pointee.expression, "text") : TextAttachment.character
    state.runs.append(TextRun(text: characters, style: style, font: font))
    let (url, kind) = (try text(run.pointee.url, "url"), try text(run.pointee.kind, "kind"))
    if !url.isEmpty || !kind.isEmpty || style.attachment != nil {
      state.spans.append(BoundSpan(run: state.runs.count - 1, url: url, kind: kind))
    }
  }

  /// Returns the style of a run that depends on the row, and the index of its font.
  private func style(
    of run: RunTemplate, _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ values: RowValues,
    _ draft: UnsafePointer<TextDraft>?
  ) throws(CellError) -> (style: TextStyle, font: Int32) {
    var own = ElementDraft(program.generation)
    own.text = run.draft
    _ = try apply(run.patches, to: &own, of: .text, at: index, within: run.path, values)
    let text = draft?.pointee ?? values.templates.pointee.texts[Int(template.pointee.text)].draft
    return (try fonts.style(of: own.text, in: text), FontTable.font(of: own.text, in: text))
  }

  func isEmpty(_ text: BoundText) -> Bool {
    for run in text.firstRun..<text.firstRun + text.runCount where !state.runs[run].text.isEmpty { return false }
    return true
  }
}
