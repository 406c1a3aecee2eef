/// The choice of a face for each cluster (text-rules 17).
extension TextStore {
  /// Returns the face for the cluster in a range of indices.
  ///
  /// Spaces without marks have the primary face. Emoji have the face that the platform chooses. Other clusters have the first
  /// face that has all of their characters. If none has, Chromium shows .notdef of the primary face.
  ///
  /// - Parameters:
  ///   - scalar: the first character of the cluster.
  ///   - current: the face of the cluster before it.
  mutating func face(
    of scalar: UInt32, _ cluster: Range<Int>, primary: Int32, current: Int32, _ rules: BrowserRules
  ) -> Int32 {
    let end = cluster.upperBound
    if scalar == 0x0a || scalar == 0x09 || (scalar == 0x20 && cluster.count == 1) { return primary }
    var next = cluster.lowerBound + (scalar > 0xffff ? 2 : 1)
    let selector = next < end ? prepared.units[next] : 0
    if isEmoji(scalar, selector, rules.emoji),
      let emoji = emojiFace(of: scalar, selector: selector, cluster, primary: primary, rules.emoji)
    {
      return emoji
    }
    if Self.isInvisible(scalar) { return current }
    let known = book.face(for: scalar, primary: primary, composes: rules.engine == .chromium)
    if known == nil { noteMissing(cluster, primary) }
    let face = known ?? primary
    while next < end {
      let (mark, width) = self.scalar(at: next)
      if !Self.isInvisible(mark) && !book.faces[Int(face)].covers(mark) {
        if let all = faceOfAll(cluster, primary) { return all }
        guard known != nil && showsNotdef(cluster, face) else { return face }
        let staysInFace =
          rules.engine != .chromium || Self.hasSystemFonts(scalar) || characters[scalar].contains(.emoji)
        let shown = staysInFace ? face : primary
        noteMissing(cluster, shown)
        return shown
      }
      next += width
    }
    return face
  }

  /// Returns whether a cluster with a first character and a unit after it is an emoji or has a selector.
  @inline(__always)
  private mutating func isEmoji(_ scalar: UInt32, _ selector: UInt16, _ fonts: EmojiFonts) -> Bool {
    (selector & 0xfffe == EmojiFonts.textSelector && scalar > 0x20)
      || (scalar > 0x2300 && characters[scalar].contains(.emoji))
      || (fonts == .emojiFaceWithModifierBases && EmojiFonts.isPlainModifierBase(scalar))
  }

  /// Returns the first face that has all visible characters of a cluster, or nil if none has.
  ///
  /// - Parameter excluded: a face that is left out.
  func faceOfAll(_ cluster: Range<Int>, _ primary: Int32, but excluded: Int32? = nil) -> Int32? {
    book.firstFace(primary: primary, but: excluded) { hasAll(of: cluster, $0) }
  }

  /// Returns whether a face has all visible characters of a cluster.
  func hasAll(of cluster: Range<Int>, _ index: Int32) -> Bool {
    let face = book.faces[Int(index)]
    var next = cluster.lowerBound
    while next < cluster.upperBound {
      let (scalar, width) = self.scalar(at: next)
      if !Self.isInvisible(scalar) && !face.covers(scalar) { return false }
      next += width
    }
    return true
  }

  /// Returns whether a character is of a script for which systems have fonts with the marks of all scripts: Hebrew or Arabic. Chromium
  /// asks them before it shows .notdef.
  private static func hasSystemFonts(_ scalar: UInt32) -> Bool { scalar >= 0x0590 && scalar < 0x0900 }

  @inline(__always)
  private static func isInvisible(_ scalar: UInt32) -> Bool {
    // Nearly all letters are below.
    guard scalar >= 0x200b || scalar == 0xad || scalar == 0x61c else { return false }
    return switch scalar {
    case 0xad, 0x61c, 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x206f, 0xfe00...0xfe0f, 0xfeff: true
    default: false
    }
  }
}
