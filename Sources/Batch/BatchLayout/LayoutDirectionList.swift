import CellTemplates
import LayoutEngine

/// A list of layout directions.
public struct LayoutDirectionList {
  /// The directions as they are listed.
  public let directions: [LayoutDirection]

  /// Reads a list such as `ltr,rtl`.
  ///
  /// - Throws: `VariantError` that names the directions.
  public init(_ text: String) throws(VariantError) {
    var directions: [LayoutDirection] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.drop { $0 == " " })
      guard let direction = LayoutDirection(name: name) else {
        let names = LayoutDirection.allCases.map(\.name)
        throw VariantError(
          "\"\(name)\" is not a layout direction\(didYouMean(name, among: names)); there are "
            + names.joined(separator: " and "))
      }
      directions.append(direction)
    }
    self.directions = directions
  }
}
