import PoolProtocol

/// Bounds on values that peers state about themselves and their batches. These values are for people, so a value out of bounds
/// is cut or replaced, and the message is accepted.
extension String {
  /// Returns the text without control characters, and cut to a number of UTF-8 bytes.
  func bounded(_ bytes: Int, keepsLines: Bool = false) -> String {
    var text = self
    if text.utf8.count > bytes {
      var end = text.utf8.index(text.startIndex, offsetBy: bytes - Self.mark.utf8.count)
      while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
        end = text.utf8.index(before: end)
      }
      text = String(text[..<end]) + Self.mark
    }
    // Most texts have no control characters.
    guard text.unicodeScalars.contains(where: { $0.isControl(keepsLines: keepsLines) }) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl(keepsLines: keepsLines) ? "?" : $0 }))
  }

  /// The end of a text that was cut.
  private static let mark = "…"
}

extension Unicode.Scalar {
  /// Whether the scalar may control a terminal or change the order of other scalars.
  fileprivate func isControl(keepsLines: Bool) -> Bool {
    if keepsLines && (self == "\n" || self == "\t") { return false }
    return switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension Double {
  /// Returns the value, or the nearest one in a range; the lower bound for NaN.
  func bounded(in range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
  }
}

extension PeerOrigin {
  init(host: String, pid: Int64) { self.init(host: host.bounded(ProtocolLimits.hostBytes), process: pid) }
}
