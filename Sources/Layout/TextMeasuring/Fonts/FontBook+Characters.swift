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
}
