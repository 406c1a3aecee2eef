import Buffers
import CHarfBuzz
import CICU

/// The scripts that a stretch of text can have, as a selection from one of the lists of `ScriptSets`.
struct ScriptSet: BitwiseCopyable {
  /// The script that the stretch is shaped in; common if the stretch can have any script.
  var first = HB_SCRIPT_COMMON
  /// The other scripts, as bits: bit n stands for the script at the index `list` + n.
  fileprivate(set) var others: UInt64 = 0
  /// The index of the list's first script.
  fileprivate var list = 0

  /// A set of one script.
  init(_ script: hb_script_t = HB_SCRIPT_COMMON) { first = script }
}

/// The script sets of the characters that occur.
///
/// Characters with the same scripts share a set, so that there are as many sets as Unicode has different values of
/// Script and Script_Extensions: fewer than 400.
struct ScriptSets: ~Copyable {
  private var sets: FlatBuffer<ScriptSet>
  /// The lists of scripts, one after the other.
  private var scripts = FlatBuffer<hb_script_t>(capacity: 256)
  private let capacity: Int

  /// The most scripts that a list can have, as its scripts are the bits of a set.
  private static let maxListLength = UInt64.bitWidth

  /// - Parameter capacity: the most sets to keep; further characters have the set at index 0, which is common.
  init(capacity: Int) {
    self.capacity = capacity
    sets = FlatBuffer(capacity: capacity)
    sets.append(ScriptSet())
  }

  @inline(__always)
  subscript(index: Int) -> ScriptSet { sets[index] }

  /// Adds the set of one script if there is none yet; returns its index.
  ///
  /// A character that inherits its script counts as common.
  mutating func insert(_ script: hb_script_t) -> Int {
    insert(ScriptSet(script == HB_SCRIPT_INHERITED ? HB_SCRIPT_COMMON : Self.shaped(script)))
  }

  /// Adds the scripts of a character that has several of them (Script_Extensions); returns the index of their set, or
  /// nil for any other character. The first script of a common character is not Latin.
  mutating func insertScripts(of scalar: UInt32, _ script: hb_script_t) -> Int? {
    let list = scripts.count
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.maxListLength) { tags in
      guard let start = tags.baseAddress else { return }
      let count = galley_script_extensions(scalar, start, Int32(Self.maxListLength))
      for index in 0..<Int(count) { scripts.append(hb_script_from_iso15924_tag(tags[index])) }
    }
    let found = scripts.values[list...]
    guard found.count > 1 else {
      scripts.truncate(to: list)
      return nil
    }
    let first = script != HB_SCRIPT_COMMON ? script : found.first { $0 != HB_SCRIPT_LATIN } ?? found[list]
    var set = ScriptSet(Self.shaped(first))
    set.list = list
    for index in list..<scripts.count {
      scripts[index] = Self.shaped(scripts[index])
      if scripts[index] != set.first { set.others |= 1 << UInt64(index - list) }
    }
    let index = insert(set)
    if sets[index].list != list { scripts.truncate(to: list) }
    return index
  }

  private mutating func insert(_ set: ScriptSet) -> Int {
    if let index = sets.values.firstIndex(where: { isSame($0, set) }) { return index }
    guard sets.count < capacity else { return 0 }
    sets.append(set)
    return sets.count - 1
  }

  /// Whether two sets have the same scripts in the same order.
  private func isSame(_ set: ScriptSet, _ other: ScriptSet) -> Bool {
    guard set.first == other.first && set.others == other.others else { return false }
    var bits = set.others
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      if scripts[set.list + bit] != scripts[other.list + bit] { return false }
      bits &= bits - 1
    }
    return true
  }

  /// Removes from a set the scripts that the following character cannot have. Returns false, and leaves the set as it
  /// is, if none would remain.
  func merge(_ set: inout ScriptSet, _ next: ScriptSet) -> Bool {
    if next.first == HB_SCRIPT_COMMON { return true }
    if set.first == HB_SCRIPT_COMMON {
      set = next
      return true
    }
    if set.others | next.others == 0 { return set.first == next.first }
    var first = contains(next, set.first) ? set.first : nil
    var others: UInt64 = 0
    var bits = set.others
    while bits != 0 {
      let script = scripts[set.list + bits.trailingZeroBitCount]
      if contains(next, script) {
        if first == nil { first = script } else { others |= bits & ~(bits - 1) }
      }
      bits &= bits - 1
    }
    guard let first else { return false }
    set.first = first
    set.others = others
    return true
  }

  private func contains(_ set: ScriptSet, _ script: hb_script_t) -> Bool {
    if set.first == script { return true }
    var bits = set.others
    while bits != 0 {
      if scripts[set.list + bits.trailingZeroBitCount] == script { return true }
      bits &= bits - 1
    }
    return false
  }

  /// Returns the script that the characters of a script are shaped in: hiragana and katakana are shaped as one.
  private static func shaped(_ script: hb_script_t) -> hb_script_t {
    script == HB_SCRIPT_KATAKANA ? HB_SCRIPT_HIRAGANA : script
  }
}
