import Buffers
import CellTemplates
import TextMeasuring

/// The reading and checking of a font's axes in a cells file: `axes: {wdth: 85, opsz: 14}`.
package enum FontAxes {
  /// The tag `wght` of the weight axis.
  static let weight: UInt32 = 0x7767_6874

  private static let form = "must be numbers by the names of axes, as in {wdth: 85, opsz: 14}"

  static func read(_ node: SourceNode) throws(CellError) -> [FontAxis] {
    guard case .mapping(let members, _) = node else { throw CellError(form, path: ["axes"]) }
    guard members.count <= ProgramArchive.maxAxes else {
      throw CellError("are more than \(ProgramArchive.maxAxes)", path: ["axes"])
    }
    var axes: [FontAxis] = []
    for member in members {
      guard let tag = tag(member.key) else {
        throw CellError("is not the name of an axis, which has four letters", path: ["axes", member.key])
      }
      guard case .literal(let text, _) = member.value, let value = Float(text), value.isFinite else {
        throw CellError("must be a number", path: ["axes", member.key])
      }
      axes.append(FontAxis(tag: tag, value: value))
    }
    return axes.sorted { $0.tag < $1.tag }
  }

  /// Returns a warning about a weight that a face does not have. The weight 0 is no weight.
  static func unheededWeight(_ weight: UInt32, _ face: OpenTypeFace) -> String? {
    guard weight > 0 else { return nil }
    guard let axis = face.axes.first(where: { $0.tag == "wght" }) else {
      return "has no effect: the file is not variable in its weight; give the file of that weight"
    }
    return axis.range.contains(Double(weight))
      ? nil : "is \(weight), but the font has weights \(list(axis.range)); the nearest of them is taken"
  }

  /// Returns the weight of a face whose font states none: 400, which is the default of `weight`, or the nearest one that the face
  /// has. 0 stands for the weight that the file has itself.
  static func regularWeight(ofFace index: UInt32, in file: OwnedBytes) -> UInt32 {
    guard let axis = axes(ofFace: index, in: file).first(where: { $0.tag == "wght" }) else { return 0 }
    let weight = min(max(400, axis.range.lowerBound), axis.range.upperBound)
    return weight == axis.initial ? 0 : UInt32(max(1, weight))
  }

  /// Returns the axis that makes an upright face italic, with its value, or nil if the face has none.
  static func italic(ofFace index: UInt32, in file: OwnedBytes) -> FontAxis? {
    let axes = axes(ofFace: index, in: file)
    if let axis = axes.first(where: { $0.tag == "ital" && $0.initial != $0.range.upperBound }) {
      return FontAxis(tag: 0x6974_616c, value: Float(axis.range.upperBound))
    }
    let slant = axes.first { $0.tag == "slnt" && $0.initial != $0.range.lowerBound }
    return slant.map { FontAxis(tag: 0x736c_6e74, value: Float($0.range.lowerBound)) }
  }

  private static func axes(ofFace index: UInt32, in file: OwnedBytes) -> [OpenTypeFace.Axis] {
    file.withBytes { (try? OpenTypeFace(ByteString($0), index: Int(index)))?.axes } ?? []
  }

  /// Checks that a face has the axes, and that the values are in their ranges.
  static func check(_ written: [FontAxis], _ face: OpenTypeFace) throws(CellError) {
    guard !written.isEmpty else { return }
    let known = face.axes
    for axis in written {
      let name = name(axis.tag)
      guard let found = known.first(where: { $0.tag == name }) else {
        throw CellError("has no axis \"\(name)\"; it has \(list(known))", path: ["axes"])
      }
      guard found.range.contains(Double(axis.value)) else {
        throw CellError(
          "has the axis \"\(name)\" \(list(found.range)), so not at \(shortText(Double(axis.value)))", path: ["axes"])
      }
    }
  }

  static func tag(_ name: String) -> UInt32? {
    guard name.utf8.count == 4, name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    return name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  package static func name(_ tag: UInt32) -> String {
    String(decoding: withUnsafeBytes(of: tag.bigEndian) { Array($0) }, as: UTF8.self)
  }

  private static func list(_ axes: [OpenTypeFace.Axis]) -> String {
    axes.isEmpty ? "none" : axes.map { "\($0.tag) \(list($0.range))" }.joined(separator: ", ")
  }

  private static func list(_ range: ClosedRange<Double>) -> String {
    "from \(shortText(range.lowerBound)) to \(shortText(range.upperBound))"
  }
}
