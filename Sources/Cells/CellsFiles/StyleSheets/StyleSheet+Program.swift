import CellTemplates
import LayoutEngine
import TextMeasuring

extension StyleSheet {
  /// Creates the style sheet of a program.
  ///
  /// - Parameter characters: The characters that pages show, or nil for all that the fonts have. Faces of the fallback that
  ///   show none of them are left out.
  public init(_ program: CellProgram, characters: Set<UInt32>? = nil) {
    let use = FaceUse(program, characters)
    let names = FaceNames(program.faces)
    let families = names.families
    for (index, source) in program.faces.enumerated() where families.firstIndex(of: families[index]) == index {
      let same = program.faces.indices.filter { families[$0] == families[index] }
      guard same.contains(where: use.used.contains) else { continue }
      let isOfFont = same.contains(where: use.facesOfFonts.contains)
      faces.append(
        Face(
          index: index, family: families[index], weight: source.weight > 0 ? source.weight : nil,
          characters: isOfFont ? nil : CharacterRanges.merged(use.characters(of: index)),
          fileName: names.fileNames[index]))
    }
    let fallback = program.fallback.map(Int.init).filter(use.used.contains).map { families[$0] }
    for (name, style) in zip(program.fonts.names, program.fonts.styles) {
      addFont(name, style, program, families[Int(style.face)], fallback)
    }
    for face in program.fallback where !program.faces[Int(face)].axes.isEmpty {
      note(
        ["fallback"], css: "has a font with axes, whose values in a style sheet are those of the text's own font",
        values: "has a font with axes, which the values do not have; an application has to set them")
    }
    if program.calibrations[.web] != nil {
      note(["calibration", "web"], css: "is not in a style sheet, which has the lines of Chromium as it is")
    }
    platforms = program.platforms
    if let language = platforms.language.name {
      note(["lang"], css: "is an attribute in HTML: <html lang=\"\(language)\">")
    }
    let statements = program.textStatements
    noteHyphenation(statements)
    for statement in statements { add(statement) }
    for (index, font) in fonts.enumerated() where font.lineHeight == nil {
      guard texts.contains(where: { $0.hasLinesOfNaturalHeight(inFont: index) }) else { continue }
      note(
        ["fonts", font.name],
        css: "has no lineHeight: browsers round the heights of its lines in device pixels, so that they are those of "
          + "the tables only at the device scale factor 1; state a lineHeight")
    }
  }

  private mutating func addFont(
    _ name: String, _ style: TextStyle, _ program: CellProgram, _ family: String, _ fallback: [String]
  ) {
    let face = program.faces[Int(style.face)]
    let scale = program.fonts.scales.font(of: style)
    fonts.append(
      Font(
        name: name, families: [family] + fallback.filter { $0 != family }, size: style.size,
        lineHeight: style.lineHeight.isNaN ? nil : style.lineHeight, letterSpacing: style.letterSpacing,
        weight: face.weight > 0 ? face.weight : nil, axes: face.axes, features: face.features,
        scaling: scale.scaling, sizes: Self.sizesByName(scale.sizes)))
    if let other = fonts.dropLast().first(where: { $0.className == fonts[fonts.count - 1].className }) {
      note(
        ["fonts", name],
        css: "makes the class .\(other.className) of the font \"\(other.name)\"; give it another name")
    }
    if scale.scaling == .android {
      note(
        ["fonts", name, "scaling"],
        css: "is not in a style sheet, where a font grows by the text scale or not at all")
    }
    if scale.sizes != nil {
      note(["fonts", name, "sizes"], css: "are not in a style sheet, which has the size at L")
    }
  }

  private static func sizesByName(_ sizes: FontSizes?) -> [String: Double] {
    guard let sizes else { return [:] }
    return Dictionary(uniqueKeysWithValues: TextSize.allCases.map { ($0.name, sizes[$0]) })
  }

  /// Adds a note for each form that cannot express something.
  mutating func note(_ path: [String], css: String? = nil, values: String? = nil, text: Int? = nil) {
    if let css { notes.append(Note(path: path, message: css, text: text)) }
    if let values { valueNotes.append(Note(path: path, message: values, text: text)) }
  }
}
