import CHarfBuzz
import CICU

/// What ICU says of the characters that were met, so that it is asked once.
struct CharacterTable: ~Copyable {
  struct Properties: BitwiseCopyable {
    fileprivate var bits: UInt8
    /// Index among `scripts`.
    fileprivate var script: UInt8

    /// Belongs to the cluster of what precedes.
    var extendsCluster: Bool { bits & 2 != 0 }
    var isEmoji: Bool { bits & 4 != 0 }
    var isWide: Bool { bits & 8 != 0 }
    /// Is used with several scripts, which `scripts(of:)` tells.
    var hasScripts: Bool { bits & 16 != 0 }
    /// Opens or closes a pair of brackets.
    var isBracket: Bool { bits & 32 != 0 }
  }

  /// Of the basic plane, on pages of their own; 0 where nobody asked yet.
  private let known: UnsafeMutablePointer<Properties>
  private var scripts: [hb_script_t] = [HB_SCRIPT_COMMON]
  /// Those of the characters that are used with several.
  private var scriptSets: [UInt32: ScriptSet] = [:]
  private let unicode = hb_unicode_funcs_get_default()

  /// Of the characters beyond the basic plane that were met last, emoji most of all.
  private var beyond: [UInt32: Properties] = [:]

  private static let planeSize = 0x10000
  /// Characters beyond the basic plane that are kept.
  private static let maxBeyond = 65_536

  init() {
    known = .allocate(capacity: Self.planeSize)
    known.initialize(repeating: Properties(bits: 0, script: 0), count: Self.planeSize)
  }

  deinit { known.deallocate() }

  subscript(scalar: UInt32) -> Properties {
    mutating get {
      guard scalar < Self.planeSize else { return findBeyond(scalar) }
      if known[Int(scalar)].bits == 0 { known[Int(scalar)] = find(scalar) }
      return known[Int(scalar)]
    }
  }

  private mutating func findBeyond(_ scalar: UInt32) -> Properties {
    if let known = beyond[scalar] { return known }
    if beyond.count >= Self.maxBeyond { beyond.removeAll(keepingCapacity: true) }
    let found = find(scalar)
    beyond[scalar] = found
    return found
  }

  func script(of properties: Properties) -> hb_script_t { scripts[Int(properties.script)] }

  /// The scripts that a character may be of.
  func scripts(of scalar: UInt32, _ properties: Properties) -> ScriptSet {
    if properties.hasScripts, let scripts = scriptSets[scalar] { return scripts }
    return ScriptSet(first: script(of: properties))
  }

  private mutating func find(_ scalar: UInt32) -> Properties {
    var bits =
      1 | (galley_extends_cluster(scalar) ? 2 : 0) | (galley_is_emoji(scalar) ? 4 : 0)
      | (galley_is_wide(scalar) ? 8 : 0) | (galley_paired_bracket(scalar) != 0 ? 32 : 0)
    var script = hb_unicode_script(unicode, scalar)
    if script != HB_SCRIPT_INHERITED, let scripts = ScriptSet(of: scalar, script) {
      scriptSets[scalar] = scripts
      bits |= 16
    }
    // Hiragana and katakana are shaped as one; what inherits has that of what precedes, like what is common.
    if script == HB_SCRIPT_KATAKANA { script = HB_SCRIPT_HIRAGANA }
    if script == HB_SCRIPT_INHERITED { script = HB_SCRIPT_COMMON }
    if let index = scripts.firstIndex(of: script) { return Properties(bits: UInt8(bits), script: UInt8(index)) }
    // There are fewer scripts than that.
    guard scripts.count < 256 else { return Properties(bits: UInt8(bits), script: 0) }
    scripts.append(script)
    return Properties(bits: UInt8(bits), script: UInt8(scripts.count - 1))
  }
}
