/// CJK punctuation set half as wide as it is, next to other punctuation (CSS text-spacing-trim, text-rules 14).
enum PunctuationTrimming {
  enum Kind {
    case other, opening, closing, middle, narrowOpening, narrowClosing, ideographicSpace
    /// 、。，． close too, but keep their width at the end of a line.
    case dot

    var isFullWidthClosing: Bool { self == .closing || self == .dot }
  }

  /// Where a mark is set half as wide.
  enum Place { case opening, closing, atEnd }

  static func kind(_ unit: UInt16) -> Kind {
    if unit < 0x2018 {
      switch unit {
      case 0x28, 0x5b, 0x7b: return .narrowOpening
      case 0x29, 0x5d, 0x7d: return .narrowClosing
      default: return .other
      }
    }
    switch unit {
    case 0x2018, 0x201c: return .narrowOpening
    case 0x2019, 0x201d: return .narrowClosing
    case 0x3000: return .ideographicSpace
    case 0x3001, 0x3002, 0xff0c, 0xff0e: return .dot
    case 0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0x3014, 0x3016, 0x3018, 0x301a, 0x301d, 0xff08, 0xff3b, 0xff5b,
      0xff5f:
      return .opening
    case 0x3009, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015, 0x3017, 0x3019, 0x301b, 0x301e, 0x301f, 0xff09, 0xff3d,
      0xff5d, 0xff60:
      return .closing
    case 0x30fb, 0xff1a, 0xff1b: return .middle
    default: return .other
    }
  }

  /// Whether an opening mark is half as wide after `previous`.
  static func trimsOpening(after previous: Kind) -> Bool {
    switch previous {
    case .opening, .middle, .closing, .dot, .narrowOpening, .ideographicSpace: true
    case .other, .narrowClosing: false
    }
  }

  /// Whether a closing mark is half as wide before `next`.
  static func trimsClosing(before next: Kind) -> Bool {
    switch next {
    case .closing, .dot, .middle, .narrowClosing, .ideographicSpace: true
    case .other, .opening, .narrowOpening: false
    }
  }
}
