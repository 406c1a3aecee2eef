import Buffers
import CHarfBuzz
import CICU

/// A table of the Unicode properties that text preparation needs.
///
/// The properties of a character are read from ICU and HarfBuzz once. Looking them up again allocates nothing and counts no
/// references.
struct CharacterTable: ~Copyable {
  /// The properties of one character, with the index of its script set in the upper bits; empty if it was not looked up yet.
  struct Properties: OptionSet, BitwiseCopyable {
    let rawValue: UInt16

    fileprivate static let known = Properties(rawValue: 1)
    /// The character belongs to the cluster of the character before it.
    static let extendsCluster = Properties(rawValue: 2)
    static let emoji = Properties(rawValue: 4)
    /// The character is as wide as an ideograph (East_Asian_Width is wide or full-width).
    static let wide = Properties(rawValue: 8)
    /// The character is used with several scripts (Script_Extensions).
    static let severalScripts = Properties(rawValue: 16)
    /// The character opens or closes a pair of brackets.
    static let bracket = Properties(rawValue: 32)

    /// The number of bits below the script set.
    fileprivate static let count: UInt16 = 6
    fileprivate static let maxScriptSets = 1 << (UInt16.bitWidth - Int(count))
  }

  /// The properties of every scalar value, a page of which takes memory when it is first written.
  private let known = ZeroedMemory.allocate(Properties.self, count: scalarCount)
  private(set) var scriptSets = ScriptSets(capacity: Properties.maxScriptSets)
  private let unicode = hb_unicode_funcs_get_default()

  private static let scalarCount = 0x110000

  deinit { ZeroedMemory.deallocate(known) }

  /// The properties of a scalar value.
  subscript(scalar: UInt32) -> Properties {
    @inline(__always) mutating get {
      let properties = known[Int(scalar)]
      return properties.rawValue != 0 ? properties : find(scalar)
    }
  }

  /// Returns the scripts that a character can have.
  @inline(__always)
  func scripts(of properties: Properties) -> ScriptSet { scriptSets[Int(properties.rawValue >> Properties.count)] }

  @inline(never)
  private mutating func find(_ scalar: UInt32) -> Properties {
    var found = Properties.known
    if galley_extends_cluster(scalar) { found.insert(.extendsCluster) }
    if galley_is_emoji(scalar) { found.insert(.emoji) }
    if galley_is_wide(scalar) { found.insert(.wide) }
    if galley_paired_bracket(scalar) != 0 { found.insert(.bracket) }
    let script = hb_unicode_script(unicode, scalar)
    let several = script == HB_SCRIPT_INHERITED ? nil : scriptSets.insertScripts(of: scalar, script)
    if several != nil { found.insert(.severalScripts) }
    let scriptSet = several ?? scriptSets.insert(script)
    let properties = Properties(rawValue: found.rawValue | UInt16(scriptSet) << Properties.count)
    known[Int(scalar)] = properties
    return properties
  }
}
