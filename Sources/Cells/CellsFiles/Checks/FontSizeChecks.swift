import Buffers
import LayoutEngine
import TextMeasuring

/// Checks for fonts that have no size of their own at a text size of iOS.
enum FontSizeChecks {
  /// Returns the warnings about fonts that lack sizes, each with the path of the font.
  ///
  /// - Parameter textSizes: the text sizes at which rows are laid out, or nil for those that some font states.
  static func warnings(_ source: SourceNode, at textSizes: [TextSize]?) -> [(path: [String], message: String)] {
    let fonts = source.members(of: "fonts")
    let stated = fonts.map { sizes(of: $0.value) }
    let wanted = textSizes ?? TextSize.allCases.filter { size in stated.contains { $0[size] != nil } }
    return zip(fonts, stated).compactMap { font, sizes in
      let missing = wanted.filter { sizes[$0] == nil }
      guard !missing.isEmpty, let plain = font.value["size"]?.number else { return nil }
      return (["fonts", font.key], message(missing, FontSizes(sizes, plain: plain)))
    }
  }

  private static func message(_ missing: [TextSize], _ sizes: FontSizes) -> String {
    let list = missing.map { "\($0.name) (\(shortText(sizes[$0])) points)" }.joined(separator: ", ")
    return "has no size at \(list); state it in sizes: {\(missing[0].name): …}, unless that of a smaller text size "
      + "is meant"
  }

  private static func sizes(of font: SourceNode) -> [TextSize: Double] {
    font.members(of: "sizes").reduce(into: [:]) { sizes, member in
      if let size = TextSize(name: member.key), let points = member.value.number { sizes[size] = points }
    }
  }
}
