import CellTemplates
import LayoutEngine

/// A list of text sizes.
public struct TextSizeList {
  /// The text sizes as they are listed.
  public let textSizes: [TextSize]

  /// Reads a list such as `L,AX1`.
  ///
  /// - Throws: `VariantError` that names the text sizes.
  public init(_ text: String) throws(VariantError) {
    var textSizes: [TextSize] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }
      guard let textSize = TextSize(name: name) else { throw Self.unknown(String(name)) }
      textSizes.append(textSize)
    }
    self.textSizes = textSizes
  }

  private static func unknown(_ name: String) -> VariantError {
    let names = TextSize.allCases.map(\.name)
    let isNumber = Double(name) != nil
    let remedy = isNumber ? "; a factor of all sizes is a text scale" : didYouMean(name, among: names)
    return VariantError(
      "\"\(name)\" is not a text size of iOS\(remedy); there are \(names.joined(separator: ", "))")
  }
}
