import CellTemplates
import TextMeasuring

/// What the faces of a program show.
struct FaceUse {
  private let wanted: Set<UInt32>?
  private let coverage: [[UInt32]]
  /// The faces of fonts, in which texts are set.
  let facesOfFonts: Set<Int>
  /// The faces that show any of the characters.
  private(set) var used: Set<Int>

  /// - Parameter wanted: The characters that pages show, or nil for all.
  init(_ program: CellProgram, _ wanted: Set<UInt32>?) {
    self.wanted = wanted
    coverage = program.faces.map(\.characters)
    facesOfFonts = Set(program.fonts.styles.map { Int($0.face) })
    used = facesOfFonts
    guard let wanted else {
      used.formUnion(program.fallback.map(Int.init))
      return
    }
    // The characters that no face before lacks for any text.
    var known = facesOfFonts.reduce(into: wanted) { $0.formIntersection(coverage[$1]) }
    for face in program.fallback.map(Int.init) {
      let shown = coverage[face].filter(wanted.contains)
      if shown.contains(where: { !known.contains($0) || Self.joins($0) }) { used.insert(face) }
      known.formUnion(shown)
    }
  }

  /// Returns the characters that a face may show, in ascending order. They include those that other faces have too, because a
  /// letter and its marks are shown in one face.
  func characters(of face: Int) -> [UInt32] {
    wanted.map { coverage[face].filter($0.contains) } ?? coverage[face]
  }

  /// Returns whether a character may be shown in a later face than the first that has it: a mark in that of its letter, and an
  /// emoji in that of other emoji.
  private static func joins(_ character: UInt32) -> Bool {
    guard character >= 0x80, let scalar = Unicode.Scalar(character) else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return scalar.properties.isEmoji || character == zeroWidthJoiner
    }
  }

  private static let zeroWidthJoiner: UInt32 = 0x200d
}
