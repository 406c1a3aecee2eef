import CellTemplates

/// The reference of the cells format for people: the output of `galley help cells`, and an article of the
/// documentation.
public enum CellReference {
  // MARK: Help

  /// The output of `galley help cells`.
  public static var help: String {
    var text = introduction + "\n\nELEMENTS\n"
    let width = CellFormat.elements.map(\.name.count).max() ?? 0
    for element in CellFormat.elements {
      let end = element.summary.firstIndex { $0 == "." || $0 == ":" } ?? element.summary.endIndex
      text += "  \(padded(element.name, to: width))  \(element.summary[..<end])\n"
    }
    text += "\nA CELLS FILE\n" + table(CellFormat.file) + "\nFONTS\n" + table(CellFormat.font)
    text += "\nCELL CLASSES\n" + table(CellFormat.cell)
    text += "\nPLATFORMS: android, reactNative\n" + table(CellFormat.android)
    text += "\nPLATFORMS: compose\n" + table(CellFormat.compose)
    text += "\nPLATFORMS: flutter\n" + table(CellFormat.flutter) + "\nSTRUT\n" + table(CellFormat.strut)
    text += "\nCALIBRATION OF A PLATFORM\n" + table(CellFormat.calibration)
    text += "\nCALIBRATION OF A LINE HEIGHT\n" + table(CellFormat.lineCalibration)
    text += "\nROWS\n" + table(CellFormat.row)
    text += "\nEVERY ELEMENT\n" + table(CellFormat.everyElement) + "\nSTYLE\n" + table(CellFormat.style)
    return text
      + "\ngalley help cells ELEMENT has an element's properties and an example; galley schema prints a JSON Schema."
  }

  /// Returns the output of `galley help cells ELEMENT`, or nil for an unknown element.
  public static func help(of name: String) -> String? {
    guard let element = CellFormat.element(named: name) else { return nil }
    var text =
      "\(element.name) (\(element.className)\(element.generation.rawValue.isEmpty ? "" : ", " + element.generation.rawValue))\n\n"
    text += wrapped(element.summary, indent: "") + "\n"
    if !element.properties.isEmpty { text += "\nPROPERTIES\n" + table(element.properties) }
    if element.type == .text { text += "\nRUNS\n" + table(CellFormat.run) }
    text +=
      "\nEvery element also has \(CellFormat.everyElement.map(\.name).joined(separator: ", ")): galley help cells.\n"
    return text + "\nEXAMPLE\n" + indented(element.example, by: "  ")
  }

  /// Returns the error for an unknown element.
  public static func unknownElement(_ name: String) -> String {
    "there is no element \"\(name)\"\(didYouMean(name, among: ElementType.names)); galley help cells lists them"
  }

  private static func table(_ properties: [PropertyFormat]) -> String {
    let width = properties.map(\.name.count).max() ?? 0
    return properties.map { property in
      var head = property.type.summary.isEmpty ? [] : [property.type.summary]
      if property.isRequired { head.append("required") }
      if let value = property.defaultValue { head.append("default \(value)") }
      if property.generation.isOne { head.append(property.generation.rawValue) }
      let indent = String(repeating: " ", count: width + 4)
      let lines = (head.isEmpty ? [] : [head.joined(separator: "; ")]) + [property.summary]
      return "  \(padded(property.name, to: width))  "
        + lines.map { wrapped($0, indent: indent) }.joined(separator: "\n\(indent)") + "\n"
    }.joined()
  }

  private static let lineLength = 100

  private static func wrapped(_ text: String, indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && indent.count + line.count + 1 + word.count > lineLength {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n" + indent)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func indented(_ text: String, by indent: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { indent + $0 }.joined(separator: "\n")
  }

  // MARK: Article

  /// The reference article in Markdown.
  public static var article: String {
    var text = """
      # Cells reference

      <!-- Made from the description of the format in Sources/Cells/CellTemplates/Format; a test keeps it up to date:
      GALLEY_UPDATE_REFERENCE=1 swift test --filter CellReferenceTests -->

      The same text is in `galley help cells`, `galley help cells ELEMENT` and, for editors, in `galley schema`.

      ```
      \(introduction)
      ```

      ## A cells file

      \(markdown(CellFormat.file))
      ## Cell classes

      \(markdown(CellFormat.cell))
      ## Fonts

      \(markdown(CellFormat.font))
      ## Platforms

      `platforms` states the properties of texts on the platforms that have some (<doc:Platforms>), such as
      `platforms: {android: {breakStrategy: simple}}`. `android` and `reactNative` have:

      \(markdown(CellFormat.android))
      `compose` has:

      \(markdown(CellFormat.compose))
      `flutter` has:

      \(markdown(CellFormat.flutter))
      A strut of `flutter` has:

      \(markdown(CellFormat.strut))
      ## Calibration

      `calibration` states for a platform what its devices differ in. `galley calibrate` finds it (<doc:Platforms>).

      \(markdown(CellFormat.calibration))
      The height of the lines of a font has:

      \(markdown(CellFormat.lineCalibration))
      ## Rows

      A row is a JSON object on a line of its own. These keys are reserved, everything else is a field of the model. A reserved
      key that is null counts as absent, and so does a member of an object of the row, such as the width of an image or an
      edge of insets: rows of tables have every member of their columns.

      \(markdown(CellFormat.row))
      ## Every element

      \(markdown(CellFormat.everyElement))
      A spec whose `child` is absent (`when`) is laid out as an empty LayoutSpec: it has the smallest size that it may have,
      and an overlay, background or corner without its child has no second element either. A node whose `layout` is
      absent has an empty one. In Texture a spec without its child is a failed assertion.

      ## Style

      \(markdown(CellFormat.style))
      """
    for element in CellFormat.elements { text += "\n" + section(element) }
    return text + "\n"
  }

  private static func section(_ element: ElementFormat) -> String {
    let generation = element.generation.rawValue.isEmpty ? "" : ", " + element.generation.rawValue
    var text = "\n## \(element.name)\n\n`\(element.className)`\(generation). \(element.summary)\n\n"
    if !element.properties.isEmpty { text += markdown(element.properties) + "\n" }
    if element.type == .text { text += "A run of `runs` has:\n\n" + markdown(CellFormat.run) + "\n" }
    return text + "```yaml\n\(element.example)\n```\n\n![The example laid out](cells-\(element.name).svg)\n"
  }

  private static func markdown(_ properties: [PropertyFormat]) -> String {
    var text = "| property | value | default | meaning |\n| --- | --- | --- | --- |\n"
    for property in properties {
      let value = property.type.summary.replacing("|", with: "\\|")
      var meaning = property.summary
      if property.isRequired { meaning += " Required." }
      if property.generation.isOne {
        meaning += " (\(property.generation.rawValue))"
      }
      text += "| `\(property.name)` | \(value) | \(property.defaultValue.map { "`\($0)`" } ?? "") | \(meaning) |\n"
    }
    return text
  }

  /// A summary of the format on one page.
  static let introduction = """
    A cells file describes the cells of a list in YAML or JSON, with the names of AsyncDisplayKit.

      version: 1
      fonts:
        body: {family: Inter, size: 15, lineHeight: 20}      # or file: fonts/Inter.otf
        bold: {family: Inter, weight: bold, size: 15}
      fallback: [Noto Sans, Noto Sans CJK JP, Noto Color Emoji]
      cells:
        MessageCell:
          layout:
            type: stack
            direction: vertical
            alignItems: {if: mine, then: end, else: start}
            children:
              - {type: text, id: name, when: {not: mine}, text: "{user.name}", font: bold}
              - type: background
                child:
                  type: inset
                  insets: {top: 6, left: 10, bottom: 6, right: 10}
                  child: {type: text, id: text, text: "{text}", font: body}
                background: {type: node, id: bubble}
              - type: stack
                when: reactions
                spacing: 4
                children:
                  - {type: text, forEach: reactions, as: reaction, text: "{reaction.emoji} {reaction.count}", font: body}

    A row is a JSON object with the fields of the model; cell names its class:

      {"id": 1, "cell": "MessageCell", "mine": false, "user": {"name": "Ada"}, "text": "Hello", "reactions": []}

    BINDINGS
      "{caption}", "{photo.size}", "{comments.0.text}"
                              a field with its type; a row without it is bad
      "{caption?}"            absent or null: an empty text, or the property's default
      "{likes} likes"         put together; {{ and }} are braces; a number with a fraction or an exponent keeps a fraction,
                              such as 3.0 for 3.0 and 3e0, from 1e16 on an exponent; {round(likes)} has each digit of a
                              64-bit float from -2^63 to less than 2^64, and an exponent beyond
      "{constrainedSize.max.width}"
                              the range of the cell, or of a node inside its layout; also min and height
      "{constrainedSize.max.width / 2 - 8}"
                              calculated: + - * / with spaces around them, parentheses, min, max, round, floor, ceil
      "{price * count? + 1}"  a ? belongs to the field before it; if that is absent, so is the whole value
      {if: mine, then: end, else: start}
                              a value by condition, for a property of an element or a style but id, type, when,
                              forEach, as, limit, runs and those with elements; without else the property's default

    CONDITIONS (when, if)
      photo                   the field is present and not null, false, "" or []
      {field: kind, equals: ad}, {field: likes, atLeast: 1}, {field: likes, below: 10}
      {not: mine}, {all: [mine, photo]}, {any: [photo, video]}
      truncated("caption"), {field: lineCount("caption"), atLeast: 3}
                              whether the text with this id is cut, and the number of its lines, in the same cell and item

    REPETITION
      forEach: comments, as: comment, limit: 3
                              the element for each item of the array; {comment.text} is a field of the item

      runs: "{spans}"         the parts of a text from the row: [{"text": "Hi "}, {"text": "@ada", "font": "bold"}]

    TEMPLATES
      templates: {Avatar: {parameters: {size: 40, user: null}, layout: {type: networkImage, url: "{user.avatar}"}}}
                              at the top of the file: elements with parameters; null has to be given
      {use: Avatar, with: {size: 24, user: "{author}"}, id: avatar}
                              such an element, with an id, when, forEach and style of its own

    LENGTHS are points below 10,000,000. A dimension is points, "40%" of the parent (0 to 100), "min(240, 80%)" or
    "max(240, 80%)" of both, or "auto".
    generation: 1 at the top of the file gives the defaults and rules of AsyncDisplayKit 1.9.
    Colours and corner radii do not change a layout and are left out.
    """
}
