import Buffers
import LayoutEngine
import TextMeasuring

/// A text of a cell class as the cells file states it. Where the row decides a property, it has the default of that property.
public struct StatedText: Equatable, Sendable {
  /// A run of a list of runs.
  public struct Run: Equatable, Sendable {
    /// The index of its font among those of the program, or nil if the row decides it.
    public let font: Int?
    /// The height of a line that it or its text states; nil is that of its font.
    public let lineHeight: Double?
    /// The letter spacing that it or its text states; nil is that of its font.
    public let letterSpacing: Double?
    public let baselineOffset: Double
    public let attachment: TextAttachment?
  }

  /// The properties for which CSS has no counterpart.
  public struct ApplicationOptions: Equatable, Sendable {
    /// The end of its last line when it is cut, or nil if it states none.
    public let truncation: String?
    /// The text after the truncation string, or empty.
    public let additionalTruncationMessage: String
    public let pointSizeScaleFactors: PointSizeScaleFactors
    public let exclusionPaths: ExclusionPaths
    /// The choice of lines that it states for the platforms of Android.
    public let breakStrategy: BreakStrategy?
  }

  /// The name of the cell class.
  public let cell: String
  /// The `id` of the text, or that of the button whose title it is. It is empty for a text without one.
  public let node: String
  /// The index of its font among those of the program, or nil if the row decides it.
  public let font: Int?
  /// The height of a line that it states; nil is that of its font.
  public let lineHeight: Double?
  /// The letter spacing that it states; nil is that of its font.
  public let letterSpacing: Double?
  public let lineSpacing: Double
  public let maximumNumberOfLines: Int
  public let whiteSpace: WhiteSpace
  public let baseDirection: BaseDirection
  public let alignment: TextAlignment
  public let insets: EdgeInsets
  public let paragraphs: ParagraphStyle
  public let css: CSSTextOptions
  public var application: ApplicationOptions
  /// Its runs if the cells file lists them; otherwise none.
  public let runs: [Run]
  /// The property by which it can have parts in other fonts that only the row states, such as `runs: "{spans}"`; nil if it has none.
  public let propertyOfRow: String?
}

/// A stated text with its path, and with what a style sheet cannot express of it.
public struct TextStatement {
  public let text: StatedText
  /// The path in the cells file: `cells`, `PostCell`, `layout`, `children`, `2`.
  public let path: [String]
  /// Whether its style limits its height, so that lines can be cut that `maximumNumberOfLines` allows.
  public let limitsHeight: Bool
  /// The paths of the properties that the row decides, those of the text first and then those of its runs, without those of the style.
  public let boundProperties: [[String]]
}

extension CellProgram {
  /// The texts of all cell classes, in the order of the cells file.
  public var textStatements: [TextStatement] {
    cells.flatMap { cell in
      (cell.root..<templates.elements[Int(cell.root)].end).compactMap { textStatement(at: $0, of: cell) }
    }
  }

  private func textStatement(at index: Int32, of cell: CellClass) -> TextStatement? {
    let element = templates.elements[Int(index)]
    guard element.text != absent else { return nil }
    let text = templates.texts[Int(element.text)]
    let patches = element.patches.range.map { templates.patches[$0] }
    let path = ["cells", cell.name.string] + templates.path(of: index)
    let isFontBound = patches.contains { $0.keyword == .font }
    let runs = text.runs.range.map { templates.runs[$0] }
    let stated = runs.filter { $0.position != absent }
    let boundInRuns = stated.flatMap { run in
      run.patches.range.map { path + run.path + templates.patches[$0].path }
    }
    let (options, placement) = (text.options, text.draft.placement)
    let statedText = StatedText(
      cell: cell.name.string, node: name(of: index),
      font: isFontBound ? nil : Int(FontTable.font(of: TextDraft(), in: text.draft)),
      lineHeight: Self.stated(text.draft.lineHeight), letterSpacing: Self.stated(text.draft.letterSpacing),
      lineSpacing: options.lineSpacing, maximumNumberOfLines: Int(options.maximumNumberOfLines),
      whiteSpace: options.whiteSpace, baseDirection: options.baseDirection, alignment: placement.alignment,
      insets: placement.insets, paragraphs: options.paragraphs, css: options.css,
      application: Self.applicationOptions(of: text.draft),
      runs: stated.map { run(of: $0, in: text.draft, isFontBound) },
      propertyOfRow: text.marks != absent
        ? "marks" : runs.contains { $0.position == absent && $0.loop != absent } ? "runs" : nil)
    return TextStatement(
      text: statedText, path: path, limitsHeight: limitsHeight(element, patches),
      boundProperties: patches.filter { !$0.isInStyle }.map { path + $0.path } + boundInRuns)
  }

  private static func applicationOptions(of text: TextDraft) -> StatedText.ApplicationOptions {
    StatedText.ApplicationOptions(
      truncation: text.statesTruncation ? text.options.truncation.string : nil,
      additionalTruncationMessage: text.additionalTruncationMessage.string,
      pointSizeScaleFactors: text.placement.pointSizeScaleFactors, exclusionPaths: text.placement.exclusionPaths,
      breakStrategy: text.options.breakStrategy)
  }

  private func run(of run: RunTemplate, in text: TextDraft, _ isFontOfTextBound: Bool) -> StatedText.Run {
    let isFontBound =
      run.patches.range.contains { templates.patches[$0].keyword == .font }
      || (run.draft.font == absent && isFontOfTextBound)
    return StatedText.Run(
      font: isFontBound ? nil : Int(run.font),
      lineHeight: Self.stated(run.draft.lineHeight) ?? Self.stated(text.lineHeight),
      letterSpacing: Self.stated(run.draft.letterSpacing) ?? Self.stated(text.letterSpacing),
      baselineOffset: run.draft.baselineOffset.isNaN ? 0 : run.draft.baselineOffset, attachment: run.draft.attachment)
  }

  private static func stated(_ number: Double) -> Double? { number.isNaN ? nil : number }

  /// Returns the id of an element. The id of a button's title is that of the button.
  private func name(of index: Int32) -> String {
    let written = templates.lineage(of: index).last { !templates.elements[Int($0)].isSynthetic }
    return templates.elements[Int(written ?? index)].name.string
  }

  private func limitsHeight(_ element: TemplateElement, _ patches: [Patch]) -> Bool {
    let style = templates.styles[Int(element.style)]
    let sizes: Set<Keyword> = [
      .height, .maxHeight, .preferredSize, .maxSize, .preferredLayoutSize, .maxLayoutSize,
    ]
    let isBound = patches.contains { $0.isInStyle && sizes.contains($0.keyword) }
    return isBound || style.height != .auto || style.maxHeight != .auto
  }
}
