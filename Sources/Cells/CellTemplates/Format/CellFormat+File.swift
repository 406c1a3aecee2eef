import LayoutEngine
import TextMeasuring

/// The keys of a cells file and of a row, apart from elements.
extension CellFormat {
  /// The keys of a cells file.
  public static let file: [PropertyFormat] = [
    PropertyFormat("version", .count, required: true, "The version of the format: 1."),
    PropertyFormat(
      "generation", .count, default: "2",
      "The generation of AsyncDisplayKit whose defaults and rules the layouts have: 1 (AsyncDisplayKit 1.9) or 2 (Texture)."
    ),
    PropertyFormat("fonts", .other, "Fonts by name."),
    PropertyFormat(
      "fallback", .other,
      "Families, or {family: …, weight: …}, for characters that a text's font lacks, in order; system, alone or last, takes fontconfig's order."
    ),
    PropertyFormat(
      "lang", .language,
      "The language of texts that state none (HTML), on texture and web; without it texts are shaped and broken as English ones."
    ),
    PropertyFormat(
      "hyphenation", .other,
      "Dictionaries for hyphens: auto by language, in the format of libhyphen and relative to the cells file: {en-US: /usr/share/hyphen/hyph_en_US.dic}."
    ),
    PropertyFormat(
      "platforms", .other, "Properties of texts on a platform, by its name: {android: {breakStrategy: simple}}."),
    PropertyFormat(
      "calibration", .other,
      "What the texts of devices differ in, by platform, as galley calibrate has found it: {flutter: {widthTolerance: 0.25, lineHeights: {body: {factor: 1.1}}}}."
    ),
    PropertyFormat("cells", .other, "Cell classes by name, each with its layout."),
    PropertyFormat(
      "templates", .other,
      "Elements with parameters by name: {Avatar: {parameters: {size: 40}, layout: …}}. {use: Avatar, with: {size: 24}} stands for such an element; it can have id, when, forEach, as, limit and style of its own."
    ),
  ]

  /// The keys of a cell class.
  public static let cell: [PropertyFormat] = [
    PropertyFormat("layout", .element, required: true, "The layout spec or the node that the cell shows."),
    PropertyFormat(
      "layoutDirection", .choice(LayoutDirection.self),
      "The direction of the cell's subnodes, as the property of a node."),
  ]

  /// The keys of a font.
  public static let font: [PropertyFormat] = [
    PropertyFormat(
      "family", .name, "A family that fontconfig finds on this machine. A font has either family or file."),
    PropertyFormat("file", .name, "A font file, relative to the cells file: OpenType, TrueType, WOFF or WOFF2."),
    PropertyFormat("faceIndex", .count, default: "0", "The index of the face in a font collection."),
    PropertyFormat(
      "weight", .other, default: "regular",
      "1 to 1000, or thin, extraLight, light, regular (normal), medium, semibold, bold, extraBold, black."),
    PropertyFormat("italic", .boolean, default: "false", "Whether the font is the italic one of its family."),
    PropertyFormat("axes", .other, "Axes of a variable font by tag: {wdth: 85}."),
    PropertyFormat(
      "fontFeatures", .other,
      "Features of the font by tag (CSS font-feature-settings): {smcp: 1, tnum: 1}. They are laid out on texture and web."
    ),
    PropertyFormat("size", .number, required: true, "The size of an em in points."),
    PropertyFormat(
      "lineHeight", .length, default: "normal",
      "The height of a line in points; normal is the height that the fonts of the line have."),
    PropertyFormat("letterSpacing", .number, default: "0", "Points after each character."),
    PropertyFormat(
      "scaling", .choice(FontScaling.self),
      "The growth with the text scale: as on Android 14, where small sizes grow more (android), by the factor (linear), or none; without it android on android, reactNative and compose, and linear elsewhere."
    ),
    PropertyFormat(
      "sizes", .other,
      "Sizes in points by text size of iOS (\(TextSize.allCases.map(\.name).joined(separator: ", "))): {L: 17, xL: 19, AX1: 28}. Without L, size is the size at L; a text size that is left out has the size of the nearest smaller one, or of the smallest one stated, and the line height grows with the size."
    ),
  ]

  /// The properties of a TextView.
  public static let android: [PropertyFormat] = [
    PropertyFormat(
      "breakStrategy", .choice(BreakStrategy.self), default: "highQuality",
      "The choice of lines: each as full as possible (simple), or with the least unused space."),
    PropertyFormat(
      "linearText", .boolean, default: "false", "Whether sizes and advances are not rounded to device pixels."),
    PropertyFormat(
      "fontPadding", .boolean, default: "true",
      "Whether the first line reaches to the font's top and the last to its bottom."),
    PropertyFormat(
      "fallbackLineSpacing", .boolean, default: "true", "Whether fallback fonts change the height of their lines."),
    PropertyFormat(
      "elegantTextHeight", .boolean, default: "false",
      "Whether lines have heights in which the letters of all scripts fit, whatever the font is."),
    PropertyFormat("lineSpacingMultiplier", .length, default: "1", "The factor of the height of a line."),
  ]

  /// The properties of a Text of Jetpack Compose.
  public static let compose: [PropertyFormat] = [
    PropertyFormat(
      "breakStrategy", .choice(BreakStrategy.self), default: "simple",
      "The choice of lines, as for android (LineBreak.Strategy); the strictness of line breaks is normal."),
    PropertyFormat(
      "linearText", .boolean, default: "false", "Whether sizes and advances are not rounded to device pixels."),
    PropertyFormat(
      "fontPadding", .boolean, default: "false", "Whether the text has includeFontPadding, as for android."),
    PropertyFormat(
      "lineHeightAlignment", .choice(LineHeightAlignment.self), default: "center",
      "The division of the space of a line height above and below the text; it is proportional without Material 3."),
    PropertyFormat(
      "lineHeightTrim", .choice(LineHeightTrim.self), default: "none",
      "The lines without the space of a line height; it is both without Material 3."),
  ]

  /// The properties of a Text of Flutter.
  public static let flutter: [PropertyFormat] = [
    PropertyFormat(
      "leadingDistribution", .choice(LeadingDistribution.self), default: "proportional",
      "The division of the space of a stated line height above and below the text."),
    PropertyFormat(
      "applyHeightToFirstAscent", .boolean, default: "true", "Whether a line height applies above the first line."),
    PropertyFormat(
      "applyHeightToLastDescent", .boolean, default: "true", "Whether a line height applies below the last line."),
    PropertyFormat("strut", .other, "The least height of all lines: {height: 1.5}."),
  ]

  /// The properties of a strut.
  public static let strut: [PropertyFormat] = [
    PropertyFormat("height", .length, "The height of a line divided by the size of the font; without it the font's."),
    PropertyFormat("leading", .length, default: "0", "The space between lines divided by the size of the font."),
    PropertyFormat(
      "leadingDistribution", .choice(LeadingDistribution.self), default: "proportional",
      "The division of the space of the height."),
    PropertyFormat("forceStrutHeight", .boolean, default: "false", "Whether all lines have the strut's height."),
  ]

  /// What the texts of devices can differ in. Not every platform has each property.
  public static let calibration: [PropertyFormat] = [
    PropertyFormat(
      "widthTolerance", .number, default: "0",
      "The points by which a line can be wider than its box; if negative, by which it must be narrower."),
    PropertyFormat(
      "lineHeights", .other,
      "The heights of lines by font: {body: {factor: 1.1, addition: 0.5}}. A text has those of its first run's font."),
    PropertyFormat(
      "roundsAdvances", .boolean, default: "false",
      "Whether the advance of each glyph is a whole number of points; for texture, web, webkit and firefox."),
    PropertyFormat(
      "linearText", .boolean,
      "Whether sizes and advances are not rounded to device pixels, whatever platforms says; for android, reactNative and compose."
    ),
  ]

  /// Returns what the texts of a platform's devices can differ in.
  public static func calibration(of platform: Platform) -> [PropertyFormat] {
    calibration.filter { property in
      switch property.name {
      case "roundsAdvances": platform.isBrowser
      case "linearText": platform.isAndroid
      default: true
      }
    }
  }

  /// What the height of a line can differ in.
  public static let lineCalibration: [PropertyFormat] = [
    PropertyFormat("factor", .number, default: "1", "The factor of the height of a line."),
    PropertyFormat(
      "addition", .number, default: "0", "The points that are added to the height of a line at text scale 1."),
  ]

  /// The keys of a row that are not fields of the model.
  public static let row: [PropertyFormat] = [
    PropertyFormat(
      "id", .name, "A string or integer that is copied to the tables; without it the tables have the row's number."),
    PropertyFormat("cell", .name, "The name of its cell class; may be left out if the cells file has only one."),
    PropertyFormat("layout", .element, "A layout of its own instead of a cell class."),
    PropertyFormat(
      "constrainedSize", .other,
      "{min: [w, h], max: [w, h]}, where a missing min is 0 and a missing max has no bound; without it the list's width and any height."
    ),
  ]
}
