import CFontFiles
import CellTemplates
import Glibc

/// A search for font files by family with fontconfig: among the fonts of this machine, then among those that come with the
/// program.
struct FontFinder {
  struct Found {
    var path: String
    var index: UInt32
    var isVariable: Bool
    var isItalic: Bool
  }

  private static let slantRoman: Int32 = 0
  private static let slantItalic: Int32 = 100

  private let bundle: FontBundle

  init(bundle: FontBundle = .ofProgram) {
    Self.configureMachine
    self.bundle = bundle
  }

  /// The folders that fontconfig searches on a machine without a configuration, and that of its cache.
  private static let folders = """
    <fontconfig>
      <dir>/usr/share/fonts</dir>
      <dir>/usr/local/share/fonts</dir>
      <dir prefix="xdg">fonts</dir>
      <cachedir prefix="xdg">fontconfig</cachedir>
    </fontconfig>
    """

  /// Configures fontconfig if this machine has no configuration, once. fontconfig uses such folders by itself, but it
  /// prints an error first. A file that the user names and that is missing remains an error.
  private static let configureMachine: Void = {
    guard getenv("FONTCONFIG_FILE") == nil, let configuration = FcConfigCreate() else { return }
    defer { FcConfigDestroy(configuration) }
    if let file = FcConfigGetFilename(configuration, nil) {
      FcStrFree(file)
    } else if FcConfigParseAndLoadFromMemory(configuration, folders, 1) != 0 {
      FcConfigSetCurrent(configuration)
    }
  }()

  /// Returns the file of a family at a weight (100–900), or nil if fontconfig does not know the family. A family that is
  /// installed on this machine precedes that of the same name that comes with the program.
  func find(family: String, weight: Double, italic: Bool) -> Found? {
    find(family: family, weight: weight, italic: italic, in: nil)
      ?? bundle.search { find(family: family, weight: weight, italic: italic, in: $0) }
  }

  /// Returns the file of a family among the fonts of a configuration, where nil stands for the fonts of this machine.
  private func find(family: String, weight: Double, italic: Bool, in configuration: OpaquePointer?) -> Found? {
    guard let pattern = FcPatternCreate() else { return nil }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, family)
    FcPatternAddDouble(pattern, FC_WEIGHT, FcWeightFromOpenTypeDouble(weight))
    FcPatternAddInteger(pattern, FC_SLANT, italic ? Self.slantItalic : Self.slantRoman)
    FcConfigSubstitute(configuration, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    guard let match = FcFontMatch(configuration, pattern, &result) else { return nil }
    defer { FcPatternDestroy(match) }
    // fontconfig always finds a font, which may be of another family.
    guard families(of: match).contains(where: { $0.lowercased() == family.lowercased() }) else { return nil }
    return found(match)
  }

  /// Returns why no font of a family was found. With a damaged cache or by a rule of its configuration, fontconfig finds a font of
  /// another family than one that it lists.
  func absence(of family: String) -> String {
    let known = families
    if known.contains(where: { $0.lowercased() == family.lowercased() }) {
      return "font family \"\(family)\" is listed by fontconfig, which finds another one in its place; "
        + "repair its caches with fc-cache -f, or give a file"
    }
    return "font family \"\(family)\" is not among the \(known.count) families that fontconfig finds here"
      + didYouMean(family, among: known) + "; install it, or give a file"
  }

  private func found(_ match: OpaquePointer) -> Found? {
    var file: UnsafeMutablePointer<FcChar8>?
    var index: Int32 = 0
    var variable: FcBool = 0
    var slant: Int32 = 0
    guard FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch, let file else { return nil }
    FcPatternGetInteger(match, FC_INDEX, 0, &index)
    FcPatternGetBool(match, FC_VARIABLE, 0, &variable)
    FcPatternGetInteger(match, FC_SLANT, 0, &slant)
    // The upper half of the index numbers a named instance of a variable font.
    let isVariable = variable != 0 || index >> 16 != 0
    return Found(
      path: String(cString: file), index: UInt32(index & 0xffff), isVariable: isVariable,
      isItalic: slant != Self.slantRoman)
  }

  /// The names of all families that fontconfig knows.
  var families: [String] { families(covering: []) }

  /// Returns the families that have all of the characters.
  func families(covering characters: [UInt32]) -> [String] {
    let bundled = bundle.search { families(covering: characters, in: $0) }
    return families(covering: characters, in: nil).union(bundled ?? []).sorted()
  }

  private func families(covering characters: [UInt32], in configuration: OpaquePointer?) -> Set<String> {
    guard let pattern = FcPatternCreate(), let wanted = FcObjectSetCreate() else { return [] }
    defer {
      FcPatternDestroy(pattern)
      FcObjectSetDestroy(wanted)
    }
    if !characters.isEmpty, let set = FcCharSetCreate() {
      for character in characters { FcCharSetAddChar(set, character) }
      FcPatternAddCharSet(pattern, FC_CHARSET, set)
      FcCharSetDestroy(set)
    }
    FcObjectSetAdd(wanted, FC_FAMILY)
    guard let list = FcFontList(configuration, pattern, wanted) else { return [] }
    defer { FcFontSetDestroy(list) }
    var names: Set<String> = []
    for index in 0..<Int(list.pointee.nfont) {
      if let font = list.pointee.fonts[index] { names.formUnion(families(of: font)) }
    }
    return names
  }

  /// Returns the faces that fontconfig uses after those that a cells file names: those of this machine in fontconfig's
  /// order, then those that come with the program, of families that this machine lacks. Faces that add no character to
  /// those before them in the same set are left out.
  func systemFallback() -> [Found] {
    let bundled = bundle.search { sorted(in: $0, without: families(covering: [], in: nil)) }
    return sorted(in: nil, without: []) + (bundled ?? [])
  }

  private func sorted(in configuration: OpaquePointer?, without known: Set<String>) -> [Found] {
    guard let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
    FcConfigSubstitute(configuration, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultNoMatch
    guard let sorted = FcFontSort(configuration, pattern, 1, nil, &result) else { return [] }
    defer { FcFontSetDestroy(sorted) }
    return (0..<Int(sorted.pointee.nfont)).compactMap { index in
      guard let font = sorted.pointee.fonts[index], isOpenType(font), known.isDisjoint(with: families(of: font))
      else { return nil }
      return found(font)
    }
  }

  /// Returns whether HarfBuzz can read a font. It cannot read Type 1 fonts and fonts that have only bitmaps.
  private func isOpenType(_ pattern: OpaquePointer) -> Bool {
    var format: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format) == FcResultMatch, let format else { return false }
    return ["TrueType", "CFF"].contains(String(cString: format))
  }

  private func families(of pattern: OpaquePointer) -> [String] {
    var names: [String] = []
    var name: UnsafeMutablePointer<FcChar8>?
    while FcPatternGetString(pattern, FC_FAMILY, Int32(names.count), &name) == FcResultMatch, let found = name {
      names.append(String(cString: found))
    }
    return names
  }
}
