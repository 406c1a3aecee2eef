import Buffers

/// A tag of a language as in BCP 47, such as `ja` or `zh-Hant`, without regard to case.
///
/// It is one number, because the options of a text are copied for each text. Of a tag that is too long for that, such as
/// `ca-ES-valencia`, the first parts are kept, on which its lines depend.
public struct LanguageTag: BitwiseCopyable, Hashable, Sendable {
  /// The characters as digits of base 40, the first one in the highest digit; 0 is no language.
  public let digits: UInt64

  private static let base: UInt64 = 40
  /// The most characters that are kept of a tag: as many digits as 64 bits hold.
  private static let maxLength = 12

  /// No language, with which texts are shaped and broken as English ones.
  public static let none = LanguageTag(digits: 0)
  /// English.
  public static let english = LanguageTag("en")

  private init(digits: UInt64) { self.digits = digits }

  init(_ string: StaticString) { self = Self(ByteString(string)) ?? .none }

  /// Creates a tag, or returns nil if the text is not one: it is of two to eight letters, which letters and digits in groups of at most
  /// eight can follow, each after a hyphen.
  public init?(_ text: ByteString) {
    var (digits, kept): (UInt64, UInt64) = (0, 0)
    var (length, isFirst) = (0, true)
    for (index, byte) in text.bytes.enumerated() {
      guard let digit = Self.digit(byte) else { return nil }
      if digit == Self.hyphen {
        guard length > (isFirst ? 1 : 0) else { return nil }
        (length, isFirst) = (0, false)
        if index <= Self.maxLength { kept = digits }
      } else {
        length += 1
        guard length <= 8, !isFirst || digit <= 26 else { return nil }
      }
      if index < Self.maxLength { digits = digits * Self.base + digit }
    }
    guard length > (isFirst ? 1 : 0) else { return nil }
    self.digits = text.count <= Self.maxLength ? digits : kept
  }

  private static let hyphen: UInt64 = 37

  /// Returns the digit of a character: letters from 1, the digits from 27, and the hyphen.
  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte - UInt8(ascii: "a")) + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte - UInt8(ascii: "A")) + 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0")) + 27
    case UInt8(ascii: "-"): hyphen
    default: nil
    }
  }

  /// The characters in lower case, or nil for no language.
  public var name: String? {
    guard self != .none else { return nil }
    var (left, characters) = (digits, [UInt8]())
    while left > 0 {
      let digit = UInt8(truncatingIfNeeded: left % Self.base)
      left /= Self.base
      characters.append(
        digit <= 26 ? digit + 0x60 : UInt64(digit) == Self.hyphen ? UInt8(ascii: "-") : digit - 27 + UInt8(ascii: "0"))
    }
    return String(decoding: characters.reversed(), as: UTF8.self)
  }

  /// Whether texts are shaped and broken as English ones.
  @inline(__always)
  var isDefault: Bool { digits == 0 || self == Self.english }

  /// The tag without its last part, such as `zh` of `zh-Hant`; nil for a tag of one part.
  var parent: LanguageTag? {
    var left = digits
    while left > 0 {
      let isHyphen = left % Self.base == Self.hyphen
      left /= Self.base
      if isHyphen { return LanguageTag(digits: left) }
    }
    return nil
  }

  /// Returns whether the tag is of a language, such as `zh-Hant` of `zh`.
  func isOf(_ language: LanguageTag) -> Bool {
    var left = digits
    while left > language.digits * Self.base + Self.base { left /= Self.base }
    return left == language.digits || left == language.digits * Self.base + Self.hyphen
  }

  private static let chinese = LanguageTag("zh")
  private static let japanese = LanguageTag("ja")
  private static let korean = LanguageTag("ko")

  /// The languages that have lines of their own.
  enum Lines: BitwiseCopyable { case chinese, japanese, korean, other }

  /// The lines of the language.
  var lines: Lines {
    guard !isDefault else { return .other }
    return isOf(Self.chinese) ? .chinese : isOf(Self.japanese) ? .japanese : isOf(Self.korean) ? .korean : .other
  }
}
