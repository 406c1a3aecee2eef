import Buffers
import TextMeasuring

/// The part of a cells file that states properties of texts on platforms.
extension CellProgram {
  /// Reads `lang: ja` and `platforms: {android: {breakStrategy: simple}, flutter: {strut: {height: 1.5}}}`. The first mistake in
  /// each of them is added to `mistakes`.
  static func readPlatforms(_ root: JSONValue, _ mistakes: inout [CellError]) -> PlatformTexts {
    var texts = PlatformTexts()
    attempt(&mistakes) { () throws(CellError) in
      assign(&texts.language, try reader.member("lang", of: root, reader.language))
    }
    attempt(&mistakes) { () throws(CellError) in try read(root, into: &texts) }
    return texts
  }

  private static func read(_ root: JSONValue, into texts: inout PlatformTexts) throws(CellError) {
    let expected = "properties of texts by platform"
    try reader.member("platforms", of: root) { (platforms) throws(CellError) in
      try reader.forEachMember(of: platforms, expected: expected) { (key, value) throws(CellError) in
        guard value.isObject else { throw wrongType(value, "properties of texts") }
        switch key.string {
        case "android": try read(value, CellFormat.android, into: &texts.android)
        case "reactNative": try read(value, CellFormat.android, into: &texts.reactNative)
        case "compose": try read(value, CellFormat.compose, into: &texts.compose)
        case "flutter": try read(value, into: &texts.flutter)
        default:
          let known = ["android", "reactNative", "compose", "flutter"]
          throw unknownKey(key.string, "a platform with properties", among: known)
        }
      }
    }
  }

  private static func read(
    _ value: JSONValue, _ format: [PropertyFormat], into android: inout AndroidTextOptions
  ) throws(CellError) {
    try forEachProperty(of: value, format) { (name, value) throws(CellError) in
      switch name {
      case "breakStrategy": assign(&android.breakStrategy, try reader.choice(value, BreakStrategy.self))
      case "linearText": assign(&android.linearText, try reader.boolean(value))
      case "fontPadding": assign(&android.fontPadding, try reader.boolean(value))
      case "fallbackLineSpacing": assign(&android.fallbackLineSpacing, try reader.boolean(value))
      case "elegantTextHeight": assign(&android.elegantTextHeight, try reader.boolean(value))
      case "lineHeightAlignment":
        assign(&android.lineHeightAlignment, try reader.choice(value, LineHeightAlignment.self))
      case "lineHeightTrim": assign(&android.lineHeightTrim, try reader.choice(value, LineHeightTrim.self))
      default: assign(&android.lineSpacingMultiplier, try reader.length(value))
      }
    }
  }

  private static func read(_ value: JSONValue, into flutter: inout FlutterTextOptions) throws(CellError) {
    try forEachProperty(of: value, CellFormat.flutter) { (name, value) throws(CellError) in
      switch name {
      case "leadingDistribution":
        assign(&flutter.leadingDistribution, try reader.choice(value, LeadingDistribution.self))
      case "applyHeightToFirstAscent": assign(&flutter.appliesHeightToFirstAscent, try reader.boolean(value))
      case "applyHeightToLastDescent": assign(&flutter.appliesHeightToLastDescent, try reader.boolean(value))
      default: flutter.strut = try readStrut(value)
      }
    }
  }

  private static func readStrut(_ value: JSONValue) throws(CellError) -> FlutterStrut {
    var strut = FlutterStrut()
    try forEachProperty(of: value, CellFormat.strut, expected: "a strut: {height: 1.5}") {
      (name, value) throws(CellError) in
      switch name {
      case "height": strut.height = try reader.length(value)
      case "leading": assign(&strut.leading, try reader.length(value))
      case "leadingDistribution":
        assign(&strut.leadingDistribution, try reader.choice(value, LeadingDistribution.self))
      default: assign(&strut.isForced, try reader.boolean(value))
      }
    }
    return strut
  }

  /// Calls `body` with each property of an object by its name.
  static func forEachProperty(
    of value: JSONValue, _ format: [PropertyFormat], expected: String = "properties of texts",
    _ body: (String, JSONValue) throws(CellError) -> Void
  ) throws(CellError) {
    let known = format.map(\.name)
    try reader.forEachMember(of: value, expected: expected) { (key, value) throws(CellError) in
      let name = key.string
      guard known.contains(name) else { throw unknownKey(name, "a property here", among: known) }
      try body(name, value)
    }
  }
}
