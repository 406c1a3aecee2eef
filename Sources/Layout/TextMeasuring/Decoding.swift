import Buffers

/// The phase that converts the UTF-8 bytes of a text's runs to UTF-16 units, and collapses white space if the text's options
/// require it.
struct TextDecoder: ~Copyable {
  /// The index after the last unit of each run, among the units of all texts.
  private(set) var runEnds = FlatBuffer<Int>(capacity: 8)
  /// The properties of the text's characters that later phases need.
  private(set) var traits = TextTraits()
  private var collapses = false
  private var keepsControls = false
  private var previousIsSpace = true
  /// The index after the last space that stands for white space with a newline, among the units of all texts; -1 if there is none.
  private var newlineEnd = -1
  /// The index of the first unit of the text.
  private var start = 0

  /// Appends the units of a text to those of all texts.
  ///
  /// Bytes that are not UTF-8 become U+FFFD. Where white space is preserved, carriage returns and form feeds are left
  /// out, as they have no width there (text-rules 18), unless `keepsControls` is set.
  mutating func decode(
    _ runs: UnsafeBufferPointer<TextRun>, _ whiteSpace: WhiteSpace, keepsControls: Bool = false,
    into prepared: inout PreparedTexts
  ) {
    self.keepsControls = keepsControls
    start = prepared.units.count
    runEnds.removeAll()
    traits = []
    collapses = whiteSpace == .collapse
    if collapses { traits.insert(.rewritten) }
    previousIsSpace = true
    newlineEnd = -1
    for run in runs {
      decode(run.text, into: &prepared)
      runEnds.append(prepared.units.count)
    }
    if collapses { dropIfBlank(&prepared) }
  }

  private mutating func decode(_ bytes: ByteString, into prepared: inout PreparedTexts) {
    var scalars = Scalars(bytes)
    let firstPlain: UInt8 = collapses ? 0x21 : 0x20
    while true {
      let plain = scalars.nextPlain(from: firstPlain)
      if plain.count > 0 {
        prepared.appendPlain(plain)
        previousIsSpace = false
      }
      let letters = scalars.nextOfTwoBytes()
      if letters.count > 0 {
        if prepared.append(ofTwoBytes: letters) >= TextTraits.firstRightToLeft { traits.insert(.bidirectional) }
        previousIsSpace = false
        continue
      }
      while let unit = scalars.nextOfThreeBytes() {
        prepared.units.append(unit)
        if unit >= 0x3000 { traits.insert(.eastAsian) } else { traits.noteScript(UInt32(unit)) }
        previousIsSpace = false
      }
      guard let scalar = scalars.next() else { break }
      var value = scalar
      switch value {
      case 0x09 where collapses, 0x0d where collapses: value = 0x20
      case 0x0a where collapses:
        collapseNewline(&prepared)
        continue
      case 0x200b where newlineEnd == prepared.units.count: removeSpace(&prepared)
      case 0x0c, 0x0d:
        guard collapses || keepsControls else {
          traits.insert(.rewritten)
          continue
        }
        traits.insert(.substitutes)
      case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: traits.insert(.substitutes)
      default: break
      }
      if collapses {
        if value == 0x20 && previousIsSpace { continue }
        previousIsSpace = value == 0x20
      }
      traits.note(value)
      prepared.append(value)
    }
  }

  /// Appends a space for a newline unless white space precedes that, and removes the space after U+200B (text-rules 1).
  private mutating func collapseNewline(_ prepared: inout PreparedTexts) {
    if !previousIsSpace { prepared.units.append(0x20) }
    previousIsSpace = true
    let end = prepared.units.count
    guard end > start, prepared.units[end - 1] == 0x20 else { return }
    newlineEnd = end
    if prepared.units[end - 2] == 0x200b { removeSpace(&prepared) }
  }

  /// Removes the space that was appended last, which can be in a run before the current one.
  private mutating func removeSpace(_ prepared: inout PreparedTexts) {
    let end = prepared.units.count - 1
    prepared.units.truncate(to: end)
    for run in 0..<runEnds.count where runEnds[run] > end { runEnds[run] = end }
  }

  /// Removes the units of a text that consists of HTML white space: such a text has no lines, although a form feed
  /// elsewhere is shown.
  private mutating func dropIfBlank(_ prepared: inout PreparedTexts) {
    for index in start..<prepared.units.count where prepared.units[index] != 0x20 && prepared.units[index] != 0x0c {
      return
    }
    prepared.units.truncate(to: start)
    for run in 0..<runEnds.count { runEnds[run] = start }
  }
}

/// The properties of a text's characters on which its preparation depends.
struct TextTraits: OptionSet, BitwiseCopyable {
  let rawValue: UInt16
  /// The first letter that runs from right to left, U+0590. All after it up to U+08FF do so too.
  fileprivate static let firstRightToLeft: UInt16 = 0x0590
  /// The text has characters that run from right to left.
  static let bidirectional = TextTraits(rawValue: 1)
  /// The text has a script that is broken with a dictionary, which starts again after a break inside a word
  /// (text-rules 7).
  static let dictionary = TextTraits(rawValue: 2)
  /// The text has full-width punctuation, or quotation marks that can be among it.
  static let eastAsian = TextTraits(rawValue: 4)
  /// The text has separators, or control characters other than tabs and newlines: some are shaped as other characters.
  static let substitutes = TextTraits(rawValue: 8)
  static let softHyphens = TextTraits(rawValue: 16)
  /// The characters can differ from those of the runs: some are left out, or white space collapses, or some bytes are not
  /// UTF-8.
  static let rewritten = TextTraits(rawValue: 32)
  /// The paragraphs have indents or spaces.
  static let paragraphs = TextTraits(rawValue: 64)
  /// The text has U+FFFC, which is the text of attachments.
  static let objects = TextTraits(rawValue: 4096)
  /// Words that are wider than a line are not broken.
  static let overflowing = TextTraits(rawValue: 128)
  /// Lines can end inside words that are not wider than a line.
  static let breaksWords = TextTraits(rawValue: 256)
  /// The ends of lines are chosen among all opportunities of a paragraph.
  static let choosesLines = TextTraits(rawValue: 512)
  /// Words are hyphenated with a dictionary.
  static let hyphenated = TextTraits(rawValue: 1024)

  /// Inserts the traits of a character, except `substitutes`.
  @inline(__always)
  mutating func note(_ scalar: UInt32) {
    if scalar == 0xad { insert(.softHyphens) }
    if scalar >= UInt32(Self.firstRightToLeft) { noteScript(scalar) }
  }

  /// Inserts the traits of a character that follow from its script.
  @inline(__always)
  fileprivate mutating func noteScript(_ scalar: UInt32) {
    switch scalar {
    // Indic letters and emoji, which are frequent.
    case 0x0900...0x0dff, 0x1f000...0x1ffff: break
    case 0x0590...0x08ff, 0x200f, 0x202b, 0x202e, 0x2067, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff,
      0x1e800...0x1efff:
      insert(.bidirectional)
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x19e0...0x1aaf, 0xa9e0...0xa9ff, 0xaa60...0xaadf:
      insert(.dictionary)
    case 0x2018...0x201d, 0x2e80...0x9fff, 0xac00...0xd7ff, 0xf900...0xfaff, 0xff00...0xffef, 0x20000...0x3ffff:
      insert(.eastAsian)
    case 0xfffc: insert(.objects)
    case 0xfffd: insert(.rewritten)
    default: break
    }
  }
}

extension PreparedTexts {
  /// Appends ASCII characters.
  @inline(__always)
  mutating func appendPlain(_ plain: UnsafeBufferPointer<UInt8>) {
    let appended = units.extend(by: plain.count)
    for index in 0..<plain.count { appended[index] = UInt16(plain[index]) }
  }

  /// Appends characters of two bytes, and returns the greatest of them.
  @inline(__always)
  fileprivate mutating func append(ofTwoBytes bytes: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let count = bytes.count / 2
    let appended = units.extend(by: count)
    var greatest: UInt16 = 0
    for index in 0..<count {
      let unit = UInt16(bytes[2 * index] & 0x1f) << 6 | UInt16(bytes[2 * index + 1] & 0x3f)
      appended[index] = unit
      greatest = max(greatest, unit)
    }
    return greatest
  }

  /// Appends a scalar value.
  @inline(__always)
  fileprivate mutating func append(_ scalar: UInt32) {
    if scalar > 0xffff {
      units.append(UInt16(truncatingIfNeeded: 0xd7c0 + scalar >> 10))
      units.append(UInt16(truncatingIfNeeded: 0xdc00 | scalar & 0x3ff))
    } else {
      units.append(UInt16(truncatingIfNeeded: scalar))
    }
  }
}
