import CellTemplates
import LayoutEngine

extension Platform {
  /// Returns the platforms of a list such as `texture,android`.
  ///
  /// - Throws: `VariantError` that names the platforms.
  public static func listed(in text: String) throws(VariantError) -> [Platform] {
    try values(in: text) { name in
      if name.lowercased() == "ios" {
        return
          "there is no platform ios, because no rules of TextKit are public: lay out with the platform texture and draw "
          + "the lines of --lines (see the article Platforms)"
      }
      let names = Platform.allCases.map(\.name)
      return "\"\(name)\" is not a platform; there are \(names.joined(separator: ", "))"
    }
  }
}

extension TextSize {
  /// Returns the text sizes of a list such as `L,AX1`.
  ///
  /// - Throws: `VariantError` that names the text sizes.
  public static func listed(in text: String) throws(VariantError) -> [TextSize] {
    try values(in: text) { name in
      let names = TextSize.allCases.map(\.name)
      let isNumber = Double(name) != nil
      let remedy = isNumber ? "; a factor of all sizes is a text scale" : didYouMean(name, among: names)
      return "\"\(name)\" is not a text size of iOS\(remedy); there are \(names.joined(separator: ", "))"
    }
  }
}

extension LayoutDirection {
  /// Returns the layout directions of a list such as `ltr,rtl`.
  ///
  /// - Throws: `VariantError` that names the directions.
  public static func listed(in text: String) throws(VariantError) -> [LayoutDirection] {
    try values(in: text) { name in
      let names = LayoutDirection.allCases.map(\.name)
      return "\"\(name)\" is not a layout direction\(didYouMean(name, among: names)); there are "
        + names.joined(separator: " and ")
    }
  }
}

/// Returns the values whose names are in a list.
///
/// - Parameter mistake: A function that returns the message of the error for a name of no value.
private func values<Value: NamedValue>(
  in text: String, _ mistake: (String) -> String
) throws(VariantError) -> [Value] {
  var values: [Value] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    let name = part.drop { $0 == " " }
    guard let value = Value(name: name) else { throw VariantError(mistake(String(name))) }
    values.append(value)
  }
  return values
}
