import CHarfBuzz

/// The plain characters that a font changes in pairs only: in a word of these characters, each has its own glyph, and an
/// advance that depends on nothing but the character after it.
///
/// This follows from the font's tables. No sequence of the glyphs can be substituted, because all glyphs that substitutions make of
/// them are among them, and none of them is made by a substitution; and the glyphs are moved by lookups of pairs that state
/// something for the first glyph only.
struct PairwiseCharacters: BitwiseCopyable {
  /// A bit for each number of a character.
  private var bits = InlineArray<6, UInt64>(repeating: 0)

  /// Letters by their frequency and then all other characters. Of two characters that are changed together, the first remains.
  private static let ascii = Array(
    "etaoinshrdlcumwgypbvkjxqzfETAOINSHRDLCUMWGYPBVKJXQZF .,'-!?\"():;/0123456789&@#$%*+<=>[\\]^_`{|}~".utf16)
  /// The other plain characters, which are added after those of ASCII, so that these do not depend on them.
  private static let others = (0x7f...0x203a as ClosedRange<UInt16>).filter {
    PlainCharacters.number(of: $0) != PlainCharacters.none
  }

  /// Finds the characters of a font.
  ///
  /// - Parameters:
  ///   - properties: the script, the direction and the language of the texts.
  ///   - features: the features with which they are shaped.
  init(_ font: OpaquePointer, _ properties: hb_segment_properties_t, _ features: [hb_feature_t]) {
    guard let face = hb_font_get_face(font) else { return }
    let ascii = Self.glyphs(of: Self.ascii, font, face)
    let others = Self.glyphs(of: Self.others, font, face)
    let all = NumberSet(ascii.map(\.glyph))
    let more = all.union(NumberSet(others.map(\.glyph)))
    guard let lookups = PlannedLookups(font, face, properties, features, of: more) else { return }
    guard lookups.movePairsOnly(all) else { return }
    let excluded = lookups.remade(all)
    var closed = NumberSet()
    var characters = [UInt16]()
    add(ascii.filter { !excluded.contains($0.glyph) }[...])
    let moreExcluded = lookups.remade(more)
    if lookups.movePairsOnly(more), moreExcluded.intersection(closed).count == 0 {
      add(others.filter { !moreExcluded.contains($0.glyph) }[...])
    }
    for character in characters {
      let number = PlainCharacters.number(of: character)
      bits[Int(number / 64)] |= 1 << UInt64(number % 64)
    }

    /// Adds the characters of a part that can stand beside those that were added before.
    func add(_ part: ArraySlice<(character: UInt16, glyph: hb_codepoint_t)>) {
      guard !part.isEmpty else { return }
      let wider = closed.union(NumberSet(part.map(\.glyph)))
      if lookups.substituteNothing(in: wider) {
        closed = wider
        characters += part.map(\.character)
      } else if part.count > 1 {
        let middle = part.startIndex + part.count / 2
        add(part[..<middle])
        add(part[middle...])
      }
    }
  }

  /// Returns whether a font changes all of its kana and their punctuation in pairs only.
  static func includeKana(
    _ font: OpaquePointer, _ properties: hb_segment_properties_t, _ features: [hb_feature_t]
  ) -> Bool {
    guard let face = hb_font_get_face(font) else { return false }
    let kana = NumberSet(glyphs(of: (0x3001...0x30fc).filter(Ideographs.isKana), font, face).map(\.glyph))
    guard let lookups = PlannedLookups(font, face, properties, features, of: kana) else { return false }
    return lookups.movePairsOnly(kana) && lookups.remade(kana).count == 0 && lookups.substituteNothing(in: kana)
  }

  /// Returns whether a unit is one of the characters.
  func contains(_ unit: UInt16) -> Bool {
    let number = PlainCharacters.number(of: unit)
    return bits[Int(number / 64)] >> UInt64(number % 64) & 1 != 0
  }

  /// Returns those of some characters that have a glyph of their own, with it.
  private static func glyphs(
    of characters: [UInt16], _ font: OpaquePointer, _ face: OpaquePointer
  ) -> [(character: UInt16, glyph: hb_codepoint_t)] {
    characters.compactMap { character in
      guard let glyph = Face.glyph(of: UInt32(character), font), isBase(glyph, face) else { return nil }
      return (character, glyph)
    }
  }

  /// Returns whether a glyph is neither a mark nor a ligature nor a part of one, which lookups can pass over.
  private static func isBase(_ glyph: hb_codepoint_t, _ face: OpaquePointer) -> Bool {
    let glyphClass = hb_ot_layout_get_glyph_class(face, glyph)
    return glyphClass == HB_OT_LAYOUT_GLYPH_CLASS_UNCLASSIFIED || glyphClass == HB_OT_LAYOUT_GLYPH_CLASS_BASE_GLYPH
  }
}

/// The lookups with which HarfBuzz shapes texts of some properties and glyphs in a font.
final class PlannedLookups {
  private let face: OpaquePointer
  let substituting = NumberSet()
  /// Those of `substituting` that make any glyphs of a part of the glyphs.
  private let adding = NumberSet()
  private let positioning = NumberSet()
  private let tables: (substitution: OpaquePointer?, positioning: OpaquePointer?)
  private let substitutions: LookupList
  private let positions: LookupList

  /// Returns nil for a font with tables whose effect is not known here: those of Apple.
  init?(
    _ font: OpaquePointer, _ face: OpaquePointer, _ properties: hb_segment_properties_t, _ features: [hb_feature_t],
    of glyphs: NumberSet
  ) {
    self.face = face
    tables = (hb_face_reference_table(face, Self.substitution), hb_face_reference_table(face, Self.position))
    substitutions = LookupList(UnsafeRawBufferPointer(ofBlob: tables.substitution), isPositioning: false)
    positions = LookupList(UnsafeRawBufferPointer(ofBlob: tables.positioning), isPositioning: true)
    guard !["morx", "mort", "kerx", "trak"].contains(where: { Self.version(of: $0, face) != nil }),
      // The table has pairs in version 0 and can have states in Apple's version.
      Self.version(of: "kern", face) ?? 0 == 0
    else { return nil }
    // Digits around U+2044 only are affected by these features, and the plan has their lookups for all texts.
    let fractions = ["frac", "numr", "dnom"].map(tag)
    let withoutFractions = fractions.map { hb_feature_t(tag: $0, value: 0, start: 0, end: UInt32.max) } + features
    var count: UInt32 = 0
    let coordinates = hb_font_get_var_coords_normalized(font, &count)
    var properties = properties
    let plan = galley_shape_plan(
      face, &properties, withoutFractions, UInt32(withoutFractions.count), coordinates, count)
    defer { hb_shape_plan_destroy(plan) }
    hb_ot_shape_plan_collect_lookups(plan, Self.substitution, substituting.set)
    for lookup in substituting {
      let closure = glyphs.copy()
      hb_ot_layout_lookup_substitute_closure(face, lookup, closure.set)
      let output = glyphSets(of: Int(lookup), Self.substitution).output
      if closure.count > glyphs.count || output.intersection(glyphs).count > 0 { hb_set_add(adding.set, lookup) }
    }
    hb_ot_shape_plan_collect_lookups(plan, Self.position, positioning.set)
  }

  deinit {
    hb_blob_destroy(tables.substitution)
    hb_blob_destroy(tables.positioning)
  }

  /// Returns whether no sequence of some of the glyphs is substituted by others than these.
  func substituteNothing(in glyphs: NumberSet) -> Bool {
    let closure = glyphs.copy()
    hb_ot_layout_lookups_substitute_closure(face, adding.set, closure.set)
    return closure.count == glyphs.count
  }

  /// Returns those of some glyphs that can replace others of them, and those that can become none or several.
  func remade(_ glyphs: NumberSet) -> NumberSet {
    var found = NumberSet()
    for lookup in 0..<substitutions.count {
      let isPlanned = substituting.contains(UInt32(lookup))
      // A lookup that is not planned can be applied by one that is.
      let isMultiple = substitutions.type(of: lookup) == LookupList.multipleSubstitution
      guard isPlanned || isMultiple else { continue }
      let sets = glyphSets(of: lookup, Self.substitution)
      let input = sets.input.intersection(glyphs)
      guard input.count > 0 else { continue }
      if isPlanned { found = found.union(sets.output.intersection(glyphs)) }
      if isMultiple { found = found.union(input) }
    }
    return found
  }

  /// Returns whether the positions of some glyphs depend on pairs of them at most.
  func movePairsOnly(_ glyphs: NumberSet) -> Bool {
    positioning.allSatisfy { lookup in
      let lookup = Int(lookup)
      switch LookupList.Positioning(rawValue: positions.type(of: lookup)) {
      case .single, .markToBase, .markToLigature, .markToMark: return true
      case .pair: return positions.hasPlainPairs(lookup) && !positions.ignoresBases(lookup)
      case nil: return glyphSets(of: lookup, Self.position).input.intersection(glyphs).count == 0
      }
    }
  }

  private func glyphSets(of lookup: Int, _ table: hb_tag_t) -> (input: NumberSet, output: NumberSet) {
    let (before, input, after, output) = (NumberSet(), NumberSet(), NumberSet(), NumberSet())
    hb_ot_layout_lookup_collect_glyphs(
      face, table, UInt32(lookup), before.set, input.set, after.set, output.set)
    return (input, output)
  }

  /// Returns the first two bytes of a table, or nil if the face lacks it.
  private static func version(of tag: String, _ face: OpaquePointer) -> Int? {
    withTable(tag, of: face) { $0.count >= 2 ? $0.number(at: 0) : nil }
  }

  private static let substitution = tag("GSUB")
  private static let position = tag("GPOS")
}
