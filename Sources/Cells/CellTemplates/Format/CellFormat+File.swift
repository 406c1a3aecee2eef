/// The parts of a cells file and of a row beside its elements.
extension CellFormat {
  /// Keys of a cells file.
  public static let file: [PropertyFormat] = [
    PropertyFormat("version", .count, required: true, "The version of the format: 1."),
    PropertyFormat("fonts", .other, "Fonts by name."),
    PropertyFormat(
      "fallback", .other,
      "Families, or {family: …, weight: …}, for characters that a text's font lacks, in order; system, alone or last, takes fontconfig's order."
    ),
    PropertyFormat("cells", .other, "Cell classes by name, each with its layout."),
  ]

  /// Keys of a font.
  public static let font: [PropertyFormat] = [
    PropertyFormat("family", .name, "A family that fontconfig finds on this machine; this or file."),
    PropertyFormat("file", .name, "A font file, relative to the cells file: OpenType, TrueType, WOFF or WOFF2."),
    PropertyFormat("faceIndex", .count, default: "0", "Which face of a font collection."),
    PropertyFormat(
      "weight", .other, default: "regular", "1 to 1000, or thin, light, regular, medium, semibold, bold, black."),
    PropertyFormat("italic", .boolean, default: "false", "Whether the family's italic is taken."),
    PropertyFormat("axes", .other, "Axes of a variable font by tag: {wdth: 85}."),
    PropertyFormat("size", .number, required: true, "Points an em."),
    PropertyFormat(
      "lineHeight", .length, default: "normal", "Points a line; normal is what the fonts of a line ask for."),
    PropertyFormat("letterSpacing", .number, default: "0", "Points after each character."),
  ]

  /// Keys of a row that are not fields of the model.
  public static let row: [PropertyFormat] = [
    PropertyFormat("id", .name, "A string or integer that is copied to the tables; without it the row's number."),
    PropertyFormat("cell", .name, "The name of its cell class; may be left out where the cells file has one."),
    PropertyFormat("layout", .element, "An element of its own in place of a cell class."),
    PropertyFormat(
      "constrainedSize", .other, "{min: [w, h], max: [w, h]}; without it the list's width and any height."),
  ]
}
