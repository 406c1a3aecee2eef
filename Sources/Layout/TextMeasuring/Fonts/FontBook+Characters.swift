import CHarfBuzz
import CICU

extension FontBook.Source {
  /// The characters for which the face has glyphs, in ascending order.
  public var characters: [UInt32] {
    let characters = NumberSet()
    withFace { hb_face_collect_unicodes($0, characters.set) }
    return Array(characters)
  }
}

/// The scripts of Unicode.
public enum Script {
  /// Returns the name of a character's script in small letters, such as `arabic`; `common` for what several scripts have.
  public static func name(of character: UInt32) -> String {
    galley_script_name(character).map { String(cString: $0).lowercased() } ?? "unknown"
  }

  /// Returns the English name of a character's script for messages, such as `Arabic`; `emoji` or `symbols` for a character
  /// without a script.
  public static func title(of character: UInt32) -> String {
    if galley_is_emoji(character) { return "emoji" }
    guard let name = galley_script_name(character) else { return "symbols" }
    let script = String(cString: name).split(separator: "_").joined(separator: " ")
    return ["Common", "Inherited", "Unknown", "Zzzz"].contains(script) ? "symbols" : script
  }
}
