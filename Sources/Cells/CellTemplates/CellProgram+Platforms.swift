import Buffers
import TextMeasuring

/// The part of a cells file that states properties of texts on platforms.
extension CellProgram {
  /// Reads `lang: ja` and `platforms: {android: {breakStrategy: simple}, flutter: {strut: {height: 1.5}}}`.
  static func readPlatforms(_ root: JSONValue) throws(CellError) -> PlatformTexts {
    var texts = PlatformTexts()
    if let lang = root.member("lang") {
      try attempt(within: "lang") { () throws(CellError) in
        texts.language = try ValueReader(source: WrittenValues()).language(lang) ?? .none
      }
    }
    guard let platforms = root.member("platforms") else { return texts }
    try attempt(within: "platforms") { () throws(CellError) in
      guard platforms.isObject else { throw wrongType(platforms, "properties of texts by platform") }
      try platforms.forEachMember { (key, value) throws(CellError) in
        let name = key.string
        try attempt(within: name) { () throws(CellError) in
          guard value.isObject else { throw wrongType(value, "properties of texts") }
          switch name {
          case "android": try read(value, into: &texts.android)
          case "reactNative": try read(value, into: &texts.reactNative)
          case "compose": try read(value, into: &texts.compose)
          case "flutter": try read(value, into: &texts.flutter)
          default:
            let known = CellFormat.platforms.map(\.name)
            throw CellError(
              "is not a platform with properties\(didYouMean(name, among: known)); these are "
                + known.joined(separator: ", "))
          }
        }
      }
    }
    return texts
  }

  private static func read(_ value: JSONValue, into android: inout AndroidTextOptions) throws(CellError) {
    let reader = ValueReader(source: WrittenValues())
    let format = android.toolkit == .compose ? CellFormat.compose : CellFormat.android
    try forEachProperty(of: value, format) { (name, value) throws(CellError) in
      switch name {
      case "breakStrategy":
        if let choice = try reader.choice(value, BreakStrategy.self) { android.breakStrategy = choice }
      case "linearText": if let flag = try reader.boolean(value) { android.linearText = flag }
      case "fontPadding": if let flag = try reader.boolean(value) { android.fontPadding = flag }
      case "fallbackLineSpacing": if let flag = try reader.boolean(value) { android.fallbackLineSpacing = flag }
      case "elegantTextHeight": if let flag = try reader.boolean(value) { android.elegantTextHeight = flag }
      case "lineHeightAlignment":
        if let choice = try reader.choice(value, LineHeightAlignment.self) { android.lineHeightAlignment = choice }
      case "lineHeightTrim":
        if let choice = try reader.choice(value, LineHeightTrim.self) { android.lineHeightTrim = choice }
      default: if let factor = try reader.length(value) { android.lineSpacingMultiplier = factor }
      }
    }
  }

  private static func read(_ value: JSONValue, into flutter: inout FlutterTextOptions) throws(CellError) {
    let reader = ValueReader(source: WrittenValues())
    try forEachProperty(of: value, CellFormat.flutter) { (name, value) throws(CellError) in
      switch name {
      case "leadingDistribution": flutter.evenLeading = try isEven(value, reader)
      case "applyHeightToFirstAscent":
        if let flag = try reader.boolean(value) { flutter.appliesHeightToFirstAscent = flag }
      case "applyHeightToLastDescent":
        if let flag = try reader.boolean(value) { flutter.appliesHeightToLastDescent = flag }
      default:
        var strut = FlutterStrut()
        try read(value, into: &strut)
        flutter.strut = strut
      }
    }
  }

  private static func read(_ value: JSONValue, into strut: inout FlutterStrut) throws(CellError) {
    let reader = ValueReader(source: WrittenValues())
    guard value.isObject else { throw wrongType(value, "a strut: {height: 1.5}") }
    try forEachProperty(of: value, CellFormat.strut) { (name, value) throws(CellError) in
      switch name {
      case "height": strut.height = try reader.length(value)
      case "leading": if let leading = try reader.length(value) { strut.leading = leading }
      case "leadingDistribution": strut.evenLeading = try isEven(value, reader)
      default: if let flag = try reader.boolean(value) { strut.isForced = flag }
      }
    }
  }

  private static func isEven(
    _ value: JSONValue, _ reader: ValueReader<WrittenValues>
  ) throws(CellError) -> Bool {
    try reader.choice(value, LeadingDistribution.self) == .even
  }

  /// Calls `body` with each property of an object by its name.
  static func forEachProperty(
    of value: JSONValue, _ format: [PropertyFormat], _ body: (String, JSONValue) throws(CellError) -> Void
  ) throws(CellError) {
    let known = format.map(\.name)
    try value.forEachMember { (key, value) throws(CellError) in
      let name = key.string
      try attempt(within: name) { () throws(CellError) in
        guard known.contains(name) else {
          throw CellError(
            "is not a property here\(didYouMean(name, among: known)); these are \(known.joined(separator: ", "))")
        }
        try body(name, value)
      }
    }
  }

  /// Calls `body`, whose errors are those of a part of the file.
  static func attempt(within name: String, _ body: () throws(CellError) -> Void) throws(CellError) {
    do throws(CellError) { try body() } catch { throw error.within(name) }
  }
}

/// The division of the space of a stated line height. Flutter: `TextLeadingDistribution`.
public enum LeadingDistribution: UInt8, CaseIterable {
  case proportional
  case even
}
