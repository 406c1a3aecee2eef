/// The keys of a cells file and of a row, apart from elements.
extension CellFormat {
  /// The keys of a cells file.
  public static let file: [PropertyFormat] = [
    PropertyFormat("version", .count, required: true, "The version of the format: 1."),
    PropertyFormat("fonts", .other, "Fonts by name."),
    PropertyFormat(
      "fallback", .other,
      "Families, or {family: …, weight: …}, for characters that a text's font lacks, in order; system, alone or last, takes fontconfig's order."
    ),
    PropertyFormat("cells", .other, "Cell classes by name, each with its layout."),
  ]

  /// The keys of a font.
  public static let font: [PropertyFormat] = [
    PropertyFormat(
      "family", .name, "A family that fontconfig finds on this machine. A font has either family or file."),
    PropertyFormat("file", .name, "A font file, relative to the cells file: OpenType, TrueType, WOFF or WOFF2."),
    PropertyFormat("faceIndex", .count, default: "0", "The index of the face in a font collection."),
    PropertyFormat(
      "weight", .other, default: "regular", "1 to 1000, or thin, light, regular, medium, semibold, bold, black."),
    PropertyFormat("italic", .boolean, default: "false", "Whether the font is the italic one of its family."),
    PropertyFormat("axes", .other, "Axes of a variable font by tag: {wdth: 85}."),
    PropertyFormat("size", .number, required: true, "The size of an em in points."),
    PropertyFormat(
      "lineHeight", .length, default: "normal",
      "The height of a line in points; normal is the height that the fonts of the line have."),
    PropertyFormat("letterSpacing", .number, default: "0", "Points after each character."),
  ]

  /// The keys of a row that are not fields of the model.
  public static let row: [PropertyFormat] = [
    PropertyFormat(
      "id", .name, "A string or integer that is copied to the tables; without it the tables have the row's number."),
    PropertyFormat("cell", .name, "The name of its cell class; may be left out if the cells file has only one."),
    PropertyFormat("layout", .element, "A layout of its own instead of a cell class."),
    PropertyFormat(
      "constrainedSize", .other, "{min: [w, h], max: [w, h]}; without it the list's width and any height."),
  ]
}
