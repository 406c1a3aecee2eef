/// The conversion of a JSON array into lines, one for each element, without parsing the elements.
///
/// It replaces bytes in place: the brackets of the array and the line ends within elements become spaces, the commas
/// between elements become line ends. What is no element is left to be a bad row, and so is an element with a line end within a
/// string, which becomes another character that no string may have. What follows the array in its line is a bad row.
struct JSONArrayLines {
  private enum Position {
    case beforeArray, inArray, inString, afterEscape, afterArray, inRest
  }

  private var position = Position.beforeArray
  /// The number of objects and arrays that are open within the array.
  private var depth = 0
  /// Whether the current element has begun.
  private var hasElement = false
  /// Whether an element has to follow, because a comma precedes it.
  private var needsElement = false

  /// Whether the array has come to its end.
  var isComplete: Bool { position == .afterArray || position == .inRest }

  /// Returns whether a line that begins with an array has nothing behind it.
  static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    var (array, bytes) = (JSONArrayLines(), Array(line))
    bytes.withUnsafeMutableBytes { array.convert($0) }
    return array.position == .afterArray
  }

  /// Converts the next bytes of the array.
  mutating func convert(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch position {
      case .inString:
        if byte == UInt8(ascii: "\"") {
          position = .inArray
        } else if byte == UInt8(ascii: "\\") {
          position = .afterEscape
        } else if byte == UInt8(ascii: "\n") {
          bytes[index] = UInt8(ascii: "\r")
        }
      case .afterEscape:
        if byte == UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: "\r") }
        position = .inString
      case .inArray: bytes[index] = convert(byte)
      case .beforeArray:
        if byte == UInt8(ascii: "[") {
          bytes[index] = UInt8(ascii: " ")
          position = .inArray
        } else if byte == UInt8(ascii: "\n") {
          bytes[index] = UInt8(ascii: " ")
        }
      case .afterArray:
        if byte == UInt8(ascii: "\n") {
          position = .inRest
        } else if !byte.isSpace {
          // No value begins so.
          bytes[index] = UInt8(ascii: "]")
          position = .inRest
        }
      case .inRest: break
      }
    }
  }

  private mutating func convert(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return UInt8(ascii: " ")
    case UInt8(ascii: " "), UInt8(ascii: "\t"): return byte
    case UInt8(ascii: ",") where depth == 0 && hasElement:
      (hasElement, needsElement) = (false, true)
      return UInt8(ascii: "\n")
    case UInt8(ascii: "]") where depth == 0:
      position = .afterArray
      if !hasElement && needsElement { return byte }
      return hasElement ? UInt8(ascii: "\n") : UInt8(ascii: " ")
    case UInt8(ascii: "\""): position = .inString
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
    default: break
    }
    hasElement = true
    return byte
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { [0x20, 0x09, 0x0a, 0x0d].contains(self) }
}
