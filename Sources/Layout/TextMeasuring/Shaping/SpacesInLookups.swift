import CHarfBuzz

extension PlannedLookups {
  /// Returns whether a lookup of a font has the glyph of the space, besides those of its kerning. Gecko shapes the texts of such a font
  /// with their spaces, and those of all other fonts word by word (`gfxFont::SpaceMayParticipateInShaping`).
  ///
  /// - Parameters:
  ///   - properties: the script, the direction and the language of the texts.
  ///   - features: the features with which they are shaped.
  static func haveSpaces(
    _ font: OpaquePointer, _ properties: hb_segment_properties_t, _ features: [hb_feature_t]
  ) -> Bool {
    guard let face = hb_font_get_face(font), let space = Face.glyph(of: 0x20, font) else { return false }
    let substituting = PlannedLookups(font, face, properties, features, of: NumberSet([space]))?.substituting
    return substituting?.contains { has(space, $0, tag("GSUB"), face) } == true
      || positioningWithoutKerning(face).contains { has(space, $0, tag("GPOS"), face) }
  }

  /// Returns the lookups of all features of `GPOS` but `kern`, of all scripts.
  private static func positioningWithoutKerning(_ face: OpaquePointer) -> NumberSet {
    let lookups = NumberSet()
    var features = Face.positioningFeatures(face).filter { $0 != tag("kern") }
    guard !features.isEmpty else { return lookups }
    features.append(0)
    hb_ot_layout_collect_lookups(face, tag("GPOS"), nil, nil, features, lookups.set)
    return lookups
  }

  private static func has(
    _ glyph: hb_codepoint_t, _ lookup: hb_codepoint_t, _ table: hb_tag_t, _ face: OpaquePointer
  ) -> Bool {
    let glyphs = NumberSet()
    hb_ot_layout_lookup_collect_glyphs(face, table, lookup, glyphs.set, glyphs.set, glyphs.set, nil)
    return glyphs.contains(glyph)
  }
}
