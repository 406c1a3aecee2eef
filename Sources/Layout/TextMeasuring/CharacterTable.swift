import Buffers
import CHarfBuzz
import CICU

/// A table of the Unicode properties that text preparation needs.
///
/// The properties of a character are read from ICU and HarfBuzz once. Looking them up again allocates nothing and counts no
/// references.
struct CharacterTable: ~Copyable {
  /// The properties of one character.
  struct Properties: BitwiseCopyable {
    /// The flags in the lower bits, and the index of the script set above them; 0 for a character not looked up yet.
    fileprivate var bits: UInt16

    /// Whether the character belongs to the cluster of the character before it.
    var extendsCluster: Bool { bits & Self.extendsClusterFlag != 0 }
    /// Whether the character is an emoji.
    var isEmoji: Bool { bits & Self.emojiFlag != 0 }
    /// Whether the character is as wide as an ideograph (East_Asian_Width is wide or full-width).
    var isWide: Bool { bits & Self.wideFlag != 0 }
    /// Whether the character is used with several scripts (Script_Extensions).
    var hasScripts: Bool { bits & Self.scriptsFlag != 0 }
    /// Whether the character opens or closes a pair of brackets.
    var isBracket: Bool { bits & Self.bracketFlag != 0 }
    /// The index of the character's script set.
    fileprivate var scriptSet: Int { Int(bits >> Self.flagCount) }

    fileprivate static let knownFlag: UInt16 = 1
    fileprivate static let extendsClusterFlag: UInt16 = 2
    fileprivate static let emojiFlag: UInt16 = 4
    fileprivate static let wideFlag: UInt16 = 8
    fileprivate static let scriptsFlag: UInt16 = 16
    fileprivate static let bracketFlag: UInt16 = 32
    fileprivate static let flagCount: UInt16 = 6
    fileprivate static let maxScriptSets = 1 << (UInt16.bitWidth - Int(flagCount))
  }

  /// The properties of every scalar value, a page of which takes memory when it is first written.
  private let known = ZeroedMemory.allocate(Properties.self, count: scalarCount)
  private var scriptSets = ScriptSets(capacity: Properties.maxScriptSets)
  private let unicode = hb_unicode_funcs_get_default()

  private static let scalarCount = 0x110000

  deinit { ZeroedMemory.deallocate(known) }

  /// The properties of a scalar value.
  subscript(scalar: UInt32) -> Properties {
    @inline(__always) mutating get {
      let properties = known[Int(scalar)]
      return properties.bits != 0 ? properties : find(scalar)
    }
  }

  /// Returns the script of a character that is not used with several scripts.
  @inline(__always)
  func script(of properties: Properties) -> hb_script_t { scriptSets[properties.scriptSet].first }

  /// Returns the scripts that a character can have.
  @inline(__always)
  func scripts(of properties: Properties) -> ScriptSet { scriptSets[properties.scriptSet] }

  /// Removes from a script set the scripts that the following character cannot have; see `ScriptSets.merge`.
  @inline(__always)
  func merge(_ scripts: inout ScriptSet, _ next: ScriptSet) -> Bool { scriptSets.merge(&scripts, next) }

  @inline(never)
  private mutating func find(_ scalar: UInt32) -> Properties {
    var bits = Properties.knownFlag
    if galley_extends_cluster(scalar) { bits |= Properties.extendsClusterFlag }
    if galley_is_emoji(scalar) { bits |= Properties.emojiFlag }
    if galley_is_wide(scalar) { bits |= Properties.wideFlag }
    if galley_paired_bracket(scalar) != 0 { bits |= Properties.bracketFlag }
    let script = hb_unicode_script(unicode, scalar)
    let scriptSet: Int
    if script != HB_SCRIPT_INHERITED, let several = scriptSets.insertScripts(of: scalar, script) {
      scriptSet = several
      bits |= Properties.scriptsFlag
    } else {
      scriptSet = scriptSets.insert(script)
    }
    let properties = Properties(bits: bits | UInt16(scriptSet) << Properties.flagCount)
    known[Int(scalar)] = properties
    return properties
  }
}
