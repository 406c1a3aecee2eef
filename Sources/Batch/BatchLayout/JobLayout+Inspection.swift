import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

extension JobLayout {
  /// Lays out one row in a variant, and returns everything that can be shown of it. `JSONParser.padding` bytes behind
  /// `row` must be readable.
  public func inspect(_ row: ByteString, variant: Int = 0) -> CellInspection {
    let elements: [LaidOutElement]
    let failure: CellError?
    do throws(CellError) { (elements, failure) = try layoutRecording(row, variant) } catch {
      return CellInspection(
        variant: state.variants[variant], id: binder.id.string, cell: binder.cellName.string, size: .zero, nodes: [],
        asciiArt: "", tree: [], overflow: [], error: error, glyphs: [:])
    }
    let overflow = overflow(of: elements, variant)
    let nodes = inspectedNodes(elements)
    return CellInspection(
      variant: state.variants[variant], id: binder.id.string, cell: binder.cellName.string, size: cellSize,
      nodes: nodes,
      asciiArt: binder.asciiArt(), tree: tree(elements, overflow, failure), overflow: overflow, error: failure,
      glyphs: pictures(of: nodes))
  }

  /// Lays out one row in a variant, and returns its nodes with the lines of their texts, which takes less time than
  /// `inspect`. `JSONParser.padding` bytes behind `row` must be readable.
  ///
  /// - Throws: `CellError` for a row that is bad in the tables.
  public func nodes(of row: ByteString, variant: Int) throws(CellError) -> [CellInspection.Node] {
    let (elements, error) = try layoutRecording(row, variant)
    if let error { throw error }
    return inspectedNodes(elements)
  }

  /// The results of a row that `galley check` needs.
  public struct Examination {
    /// The row's cell class, or empty for an inline layout.
    public let cell: String
    /// The paths of the elements that the row has.
    public let paths: [[String]]
    public let overflow: [OverflowFinding]
    /// Some of the characters for which no font has a glyph.
    public let missingGlyphs: String
    /// Whether the row has an emoji for which the platforms `texture` and `web` choose different fonts.
    public let dependsOnEmojiFonts: Bool
    public let hasOwnConstrainedSize: Bool
    /// Whether the row's margins hold for the width of the list too.
    public let holdsForWidth: Bool
    /// The names that several nodes of the cell have, each with the path of the second node.
    public let repeatedNames: [(name: String, path: [String])]
    public let error: CellError?
  }

  /// Lays out one row in a variant, and returns what does not fit in it.
  ///
  /// - Throws: `CellError` for a row that could not be read or bound.
  public func examine(_ row: ByteString, variant: Int) throws(CellError) -> Examination {
    let (elements, error) = try layoutRecording(row, variant)
    return Examination(
      cell: binder.cellName.string, paths: (0..<binder.elementCount).map { binder.path(of: Int32($0)) },
      overflow: overflow(of: elements, variant),
      missingGlyphs: error == nil ? state.missing.text : "",
      dependsOnEmojiFonts: state.measurer.dependsOnEmojiFonts, hasOwnConstrainedSize: binder.hasOwnConstrainedSize,
      holdsForWidth: error == nil && state.margins.holdsForWidth, repeatedNames: repeatedNames, error: error)
  }

  private var repeatedNames: [(name: String, path: [String])] {
    var names: Set<String> = []
    var repeated: [(name: String, path: [String])] = []
    for index in 1..<max(state.frames.count, 1) {
      let name = name(of: state.frames[index], at: index - 1)
      if !names.insert(name).inserted { repeated.append((name, binder.path(of: state.frames[index].element))) }
    }
    return repeated
  }

  /// The cell class of the row that was read last, or empty for an inline layout and for a row that names no class.
  public var cellName: String { binder.cellName.string }

  /// Records which fields of the cells file the row has that was examined last.
  public func note(in fields: inout FieldUse) { fields.note(binder) }

  /// Returns the `id` of a row, or nil for a row that has none or cannot be read.
  public func id(of row: ByteString) -> String? {
    try? read(row)
    return binder.id.isEmpty ? nil : binder.id.string
  }

  private func overflow(of elements: [LaidOutElement], _ variant: Int) -> [OverflowFinding] {
    var findings = OverflowFinding.all(in: elements, cell: cellSize, scale: state.variants[variant].scale)
    let directions = binder.directions(inList: state.variants[variant].layoutDirection)
    guard directions.mayMirror else { return findings }
    // The areas of stacks were found from positions before mirroring, and those of nodes from their frames.
    for index in findings.indices where findings[index].kind == .stack {
      guard let stack = elements.first(where: { $0.result.element == findings[index].element }) else { continue }
      let node = stack.container < 0 ? nil : elements[stack.container]
      let outer = node.flatMap { $0.parent < 0 ? nil : elements[$0.parent] }
      let frame = node?.frame ?? Rect(0, 0, cellSize.width, cellSize.height)
      var x = findings[index].area.origin.x - (node?.origin.x ?? 0)
      if directions.mirrorSubnodes(of: node?.element, in: outer?.element) {
        x = frame.size.width - findings[index].area.size.width - x
      }
      findings[index].area.origin.x = frame.origin.x + x
    }
    return findings
  }

  private var cellSize: Size { state.frames.count > 0 ? Self.finite(state.frames[0].rect).size : .zero }

  /// Lays out a row while everything is recorded.
  private func layoutRecording(
    _ row: ByteString, _ variant: Int
  ) throws(CellError) -> (elements: [LaidOutElement], error: CellError?) {
    try read(row)
    let range = constrainedSize(of: variant)
    recordsEverything = true
    defer { recordsEverything = false }
    try bind(range)
    do throws(CellError) {
      _ = try layoutFrames(variant, range)
      return (laidOutElements(variant), nil)
    } catch {
      // The row was bound again, and has another tree than the one that was laid out, or none.
      if state.isUnsolved { throw error }
      if state.frames.count == 0 { solver(variant).pointee.solver.appendFrames(to: &state.frames) }
      return (laidOutElements(variant), error)
    }
  }

  // MARK: Nodes and their lines

  private func inspectedNodes(_ elements: [LaidOutElement]) -> [CellInspection.Node] {
    var ranges: [Int32: SizeRange] = [:]
    for element in elements { ranges[element.result.element] = element.result.ownRange }
    return (1..<max(state.frames.count, 1)).map { index in
      let frame = state.frames[index]
      return CellInspection.Node(
        name: name(of: frame, at: index - 1), type: binder.type(of: frame.element).name, parent: Int(frame.parent) - 1,
        frame: Self.finite(frame.rect), lines: lines(of: frame, in: ranges[frame.element]),
        isTruncated: frame.detail & Self.truncatedBit != 0)
    }
  }

  /// Returns a text's lines, filled again in the range in which they were filled for its frame.
  private func lines(of frame: Frame, in range: SizeRange?) -> [CellInspection.TextLine] {
    let number = binder.textNumber(of: frame.element)
    guard number >= 0, let range else { return [] }
    let measured = measureLeaf(frame.element, range.max.width, range.max.height)
    let prepared = Int(state.preparedTexts[number])
    let placement = binder.placement(ofText: number).pointee
    let drawings = state.measurer.glyphLines(
      of: prepared, textScale: textScale(ofText: number),
      truncatedTo: measured.detail & Self.truncatedBit != 0 ? placement.inner(range.max).width : nil,
      justifiedTo: placement.alignment == .justified ? placement.inner(frame.rect.size).width : nil)
    let rect = Self.finite(frame.rect)
    let paragraphs = state.measurer.paragraphs(of: prepared)
    return drawings.map { drawing in
      let x = placement.x(
        ofLine: drawing.width, inFrame: rect.size.width, indent: drawing.indent, drawing.exclusion, paragraphs,
        isRightToLeft: drawing.isRightToLeft)
      return CellInspection.TextLine(
        origin: Point(rect.origin.x + x, rect.origin.y + placement.insets.top), drawing: drawing)
    }
  }

  private func pictures(of nodes: [CellInspection.Node]) -> [GlyphKey: GlyphPicture] {
    var pictures: [GlyphKey: GlyphPicture] = [:]
    for line in nodes.lazy.flatMap(\.lines) {
      for glyph in line.drawing.glyphs where pictures[glyph.key] == nil {
        pictures[glyph.key] = state.measurer.picture(of: glyph.key)
      }
    }
    return pictures
  }

  /// Returns a frame that can be drawn: numbers that are infinite or NaN after a failed layout become zero.
  private static func finite(_ rect: Rect) -> Rect {
    func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }
    return Rect(
      finite(rect.origin.x), finite(rect.origin.y), finite(rect.size.width), finite(rect.size.height))
  }

  // MARK: The tree

  private func tree(
    _ elements: [LaidOutElement], _ overflow: [OverflowFinding], _ failure: CellError?
  ) -> [CellInspection.TreeLine] {
    var lines: [CellInspection.TreeLine] = []
    let messages = Dictionary(grouping: overflow, by: \.element)
    // A `forEach` makes several elements with one path. The error is shown at the first one.
    var error = failure
    var nodes: [Int32: Int] = [:]
    for index in 1..<max(state.frames.count, 1) { nodes[state.frames[index].element] = index - 1 }
    for element in elements {
      let indent = String(repeating: "  ", count: element.result.depth)
      var problems = (messages[element.result.element] ?? []).map(\.message)
      if let known = error, known.path == element.path {
        problems.insert(known.message, at: 0)
        error = nil
      }
      lines.append(
        CellInspection.TreeLine(
          text: indent + treeLine(element), isProblem: false, node: nodes[element.result.element]))
      lines += problems.map { CellInspection.TreeLine(text: "\(indent)  ! \($0)", isProblem: true) }
    }
    if let error { lines.append(CellInspection.TreeLine(text: "! \(error.description)", isProblem: true)) }
    return lines
  }

  private func treeLine(_ element: LaidOutElement) -> String {
    let result = element.result
    var line = "\(binder.label(of: result.element)) \(Self.format(result.size)) at "
    line += "\(shortText(result.position.x)),\(shortText(result.position.y))"
    if let asked = result.constrainedSize {
      line += " in \(Self.format(asked.min))..\(Self.format(asked.max))"
    } else {
      line += " (never measured)"
    }
    return element.style.written.isEmpty ? line : line + " {\(element.style.written)}"
  }

  private static func format(_ size: Size) -> String { "\(shortText(size.width))x\(shortText(size.height))" }
}
