import Buffers

/// The choice of a face for emoji, which differs between platforms (text-rules 17).
enum EmojiFonts: BitwiseCopyable {
  /// The first face with emoji, even if an earlier one has a plain glyph: Texture.
  case emojiFace
  /// The first face that has the characters, also with a plain glyph: Chromium and Firefox. U+FE0F requires the face with emoji,
  /// U+FE0E another one if any has the characters.
  case inOrder
  /// The first face with emoji, also for characters that a skin color can follow: WebKit. U+FE0E requires another face.
  case emojiFaceWithModifierBases

  static let textSelector: UInt16 = 0xfe0e
  static let emojiSelector: UInt16 = 0xfe0f

  /// Returns whether a character that is no emoji by default can be followed by a skin color (Emoji_Modifier_Base).
  static func isPlainModifierBase(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x261d, 0x26f9, 0x270c, 0x270d, 0x1f3cb, 0x1f3cc, 0x1f574, 0x1f575, 0x1f590: true
    default: false
    }
  }
}

extension TextStore {
  /// Returns the face of a cluster that is an emoji or has a selector, or nil if that is the face of any other cluster.
  ///
  /// - Parameters:
  ///   - scalar: the first character of the cluster.
  ///   - selector: the unit after that character, or 0.
  @inline(never)
  mutating func emojiFace(
    of scalar: UInt32, selector: UInt16, _ cluster: Range<Int>, primary: Int32, _ fonts: EmojiFonts
  ) -> Int32? {
    let emoji = book.emojiFace.flatMap { book.faces[Int($0)].covers(scalar) ? $0 : nil }
    let isText = selector == EmojiFonts.textSelector
    if fonts == .emojiFaceWithModifierBases {
      return isText ? faceOfAll(cluster, primary, but: book.emojiFace) ?? primary : emoji
    }
    let preferred = isText ? nil : emoji
    let required: Int32? =
      switch selector {
      case EmojiFonts.textSelector: faceOfAll(cluster, primary, but: book.emojiFace)
      case EmojiFonts.emojiSelector: emoji
      default: nil
      }
    if preferred != required && !dependsOnEmojiFonts {
      let isSingle = cluster.count == (scalar > 0xffff ? 2 : 1)
      let ordinary = (isSingle ? nil : faceOfAll(cluster, primary)) ?? book.face(for: scalar, primary: primary)
      // What the face with emoji lacks is missing only where it is chosen as for other clusters.
      let isWhole = isSingle || preferred.map { hasAll(of: cluster, $0) } ?? true
      dependsOnEmojiFonts = !isWhole || preferred ?? ordinary != required ?? ordinary
    }
    return fonts == .inOrder ? required : preferred
  }

  /// Notes that texts depend on the choice of faces for emoji if their truncation string has some. The string is prepared only when a
  /// text is cut, which may be for another platform.
  @inline(__always)
  mutating func noteEmoji(ofTruncation string: ByteString) {
    // The usual "…" and the other characters from U+2000 to U+203F are none.
    let isUsual = string.count == 3 && string.bytes[0] == 0xe2 && string.bytes[1] == 0x80
    if !isUsual { noteEmoji(of: string) }
  }

  @inline(never)
  private mutating func noteEmoji(of string: ByteString) {
    for scalar in string.string.unicodeScalars.lazy.map(\.value)
    where scalar & ~1 == UInt32(EmojiFonts.textSelector) || EmojiFonts.isPlainModifierBase(scalar)
      || (scalar > 0x2300 && characters[scalar].contains(.emoji))
    {
      dependsOnEmojiFonts = true
    }
  }
}
