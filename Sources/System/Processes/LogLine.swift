import Glibc

/// A line of a log. Its message may contain anything that peers have sent.
struct LogLine {
  /// The largest number of characters of a message that are written.
  static let maxCharacters = 2000

  private let line: LogLimit.Line
  private let name: String
  private let time: timespec

  init(_ line: LogLimit.Line, name: String, time: timespec = Clock.time(CLOCK_REALTIME)) {
    (self.line, self.name, self.time) = (line, name, time)
  }

  /// Returns the text of the line with its end.
  func text(_ format: Log.Format) -> String {
    switch format {
    case .text:
      let times = line.times > 1 ? " (\(line.times) times)" : ""
      let source = TextStyle.bold.applied(to: "\(name)[\(getpid())]", on: .error)
      let level = line.level.colored(line.level.rawValue)
      return "\(Self.timeStamp(time)) \(level) \(source): \(Self.escaped(line.message))\(times)\n"
    case .json:
      let times = line.times > 1 ? ",\"times\":\(line.times)" : ""
      return "{\"time\":\"\(Self.timeStamp(time))\",\"level\":\"\(line.level.rawValue)\","
        + "\"process\":\(Self.json(name)),\"pid\":\(getpid()),\"message\":\(Self.json(line.message))\(times)}\n"
    }
  }

  /// Returns a time in UTC as RFC 3339 has it, with milliseconds.
  static func timeStamp(_ time: timespec) -> String {
    var (seconds, parts) = (time.tv_sec, tm())
    guard gmtime_r(&seconds, &parts) != nil else { return "\(time.tv_sec)" }
    func digits(_ number: some BinaryInteger, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    return "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))T"
      + "\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))"
      + ".\(digits(time.tv_nsec / 1_000_000, 3))Z"
  }

  /// Returns a message that is one line, whose characters neither control a terminal nor change the order of the text
  /// around them, and that is not longer than the limit.
  static func escaped(_ message: String) -> String { replacing(in: message) { $0.terminalEscape } }

  /// Returns the JSON string of a text, with the same characters escaped as JSON has it, and not longer than the limit.
  static func json(_ text: String) -> String {
    let content = replacing(in: text) { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case _ where scalar.isEscaped:
        String(scalar).utf16.map { unit in
          let digits = String(unit, radix: 16)
          return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
      default: nil
      }
    }
    return "\"\(content)\""
  }

  /// Returns a text that is cut at the limit, with replacements for characters.
  private static func replacing(in message: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    for (index, scalar) in message.unicodeScalars.enumerated() {
      if index == maxCharacters {
        return text + "… (\(message.unicodeScalars.count - maxCharacters) further characters)"
      }
      if let replacement = replacement(scalar) {
        text += replacement
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
