import Buffers
import CHarfBuzz
import CICU

/// Characters of the prepared texts that none of their faces has, so that .notdef is measured in their place.
struct MissingGlyphs: ~Copyable {
  /// Different characters of a row that are kept.
  private static let maxCharacters = 8

  private(set) var count = 0
  private(set) var characters = FlatBuffer<UInt32>(capacity: maxCharacters)

  mutating func removeAll() {
    count = 0
    characters.removeAll()
  }

  mutating func note(_ scalar: UInt32) {
    count += 1
    guard characters.count < Self.maxCharacters, !characters.values.contains(scalar) else { return }
    characters.append(scalar)
  }
}

extension TextMeasurer {
  /// How many characters of the texts prepared so far have no glyph.
  public var missingGlyphCount: Int { missing.count }

  /// The first different ones of them, some at most.
  public var missingCharacters: UnsafeBufferPointer<UInt32> { missing.characters.values }

  /// Notes the characters of a cluster for which a face has no glyph. HarfBuzz finds glyphs also for characters that the
  /// face does not map, by taking them apart or by a space of another width, so it is asked.
  mutating func noteMissing(_ place: Int, _ end: Int, _ face: Int32) {
    guard shaper.showsNotdef(UnsafeBufferPointer(start: prepared.units.base + place, count: end - place), face) else {
      return
    }
    var next = place
    while next < end {
      let (scalar, width) = scalar(at: next)
      if !galley_is_invisible(scalar) && !book.faces[Int(face)].covers(scalar) { missing.note(scalar) }
      next += width
    }
  }
}

extension Shaper {
  /// Whether a face shows .notdef for any character of a text.
  func showsNotdef(_ units: UnsafeBufferPointer<UInt16>, _ face: Int32) -> Bool {
    hb_buffer_clear_contents(buffer)
    hb_buffer_add_utf16(buffer, units.baseAddress, Int32(units.count), 0, Int32(units.count))
    hb_buffer_guess_segment_properties(buffer)
    hb_shape(book.faces[Int(face)].font, buffer, nil, 0)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count) else { return false }
    return (0..<Int(count)).contains { infos[$0].codepoint == 0 }
  }
}

/// Names of scripts, for messages.
public enum ScriptNames {
  /// The script of a character: `Arabic`; `emoji` or `symbols` for those of no script.
  public static func name(of scalar: UInt32) -> String {
    if galley_is_emoji(scalar) { return "emoji" }
    guard let name = galley_script_name(scalar) else { return "symbols" }
    let script = String(cString: name).split(separator: "_").joined(separator: " ")
    return ["Common", "Inherited", "Unknown", "Zzzz"].contains(script) ? "symbols" : script
  }
}
