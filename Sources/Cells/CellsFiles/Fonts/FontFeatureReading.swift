import CellTemplates
import TextMeasuring

/// The reading and checking of the features of a font in a cells file: `fontFeatures: {smcp: 1, tnum: 1}`.
enum FontFeatureReading {
  private static let key = "fontFeatures"
  private static let form = "must be numbers by the names of features, as in {smcp: 1, tnum: 1}"
  /// The largest value: a font has fewer alternates of a glyph.
  private static let maxValue: UInt32 = 65_535
  /// The feature `kern`, which HarfBuzz also has for fonts that kern with a table of that name.
  private static let kerning = "kern"

  static func read(_ node: SourceNode) throws(CellError) -> [FontFeature] {
    guard case .mapping(let members, _) = node else { throw CellError(form, path: [key]) }
    guard members.count <= FontBook.maxFeatures else {
      throw CellError("are more than \(FontBook.maxFeatures)", path: [key])
    }
    var features: [FontFeature] = []
    for member in members {
      guard let tag = FontAxes.tag(member.key) else {
        throw CellError("is not the name of a feature, which has four letters", path: [key, member.key])
      }
      guard let value = value(member.value) else {
        throw CellError("must be a whole number from 0 to \(maxValue), true or false", path: [key, member.key])
      }
      features.append(FontFeature(tag: tag, value: value))
    }
    return features.sorted { $0.tag < $1.tag }
  }

  private static func value(_ node: SourceNode) -> UInt32? {
    if let isOn = node.truth { return isOn ? 1 : 0 }
    guard case .literal(let text, _) = node, let value = UInt32(text), value <= maxValue else { return nil }
    return value
  }

  /// Checks that a face has the features. One that is off need not be there.
  static func check(_ written: [FontFeature], _ face: OpenTypeFace) throws(CellError) {
    guard !written.isEmpty else { return }
    let known = face.features
    for feature in written where feature.value > 0 {
      let name = FontAxes.name(feature.tag)
      guard name != kerning, !known.contains(name) else { continue }
      let list = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
      throw CellError("has no feature \"\(name)\", and none is imitated; it has \(list)", path: [key])
    }
  }
}
