/// The rule that decides which messages of a log are written, so that a flood of messages does not fill a disk.
///
/// Messages that differ only in numbers are similar. Of similar messages, so many are written a second as their level
/// allows; the others are counted, and the last one of them is written with the count when the second is over.
struct LogLimit {
  /// A line that is to be written.
  struct Line: Equatable {
    let level: Log.Level
    let message: String
    /// The number of messages that the line stands for.
    var times = 1
  }

  /// The time in nanoseconds in which the messages are limited.
  static let interval: UInt64 = 1_000_000_000
  /// The number of different messages in that time. Further ones count as similar to each other.
  static let maxKinds = 64

  /// The messages of one kind in the last interval.
  private struct Kind {
    let level: Log.Level
    var begin: UInt64
    var written = 1
    var omitted = 0
    var last = ""

    var line: Line { Line(level: level, message: last, times: omitted) }
  }

  private var kinds: [String: Kind] = [:]
  /// The earliest time at which omitted messages are due.
  private var nextDue = UInt64.max

  /// Adds a message. Returns the lines to write now.
  mutating func add(_ level: Log.Level, _ message: String, at now: UInt64) -> [Line] {
    var lines = takeDue(at: now)
    let similar = Self.withoutNumbers(message)
    let name = kinds[similar] != nil || kinds.count < Self.maxKinds ? similar : ""
    var kind = kinds[name] ?? Kind(level: level, begin: now, written: 0)
    if kind.written < Self.perInterval(level) {
      kind.written += 1
      lines.append(Line(level: level, message: message))
    } else {
      kind.omitted += 1
      kind.last = name.isEmpty ? "different messages were left out, the last one: \(message)" : message
    }
    nextDue = min(nextDue, kind.begin &+ Self.interval)
    kinds[name] = kind
    return lines
  }

  /// Returns the lines for omitted messages whose interval has ended.
  mutating func takeDue(at now: UInt64) -> [Line] {
    guard now >= nextDue else { return [] }
    var lines: [Line] = []
    nextDue = .max
    for (name, kind) in kinds where now >= kind.begin &+ Self.interval {
      if kind.omitted == 0 {
        kinds.removeValue(forKey: name)
      } else {
        lines.append(kind.line)
        kinds[name] = Kind(level: kind.level, begin: now, written: Self.perInterval(kind.level))
      }
    }
    for kind in kinds.values { nextDue = min(nextDue, kind.begin &+ Self.interval) }
    return lines
  }

  /// Returns the lines for all omitted messages.
  mutating func takeAll() -> [Line] {
    defer { kinds.removeAll() }
    return kinds.values.filter { $0.omitted > 0 }.map(\.line)
  }

  /// Returns the number of similar messages that are written in an interval. Normal operation has several workers that
  /// connect at once.
  private static func perInterval(_ level: Log.Level) -> Int { level == .info ? 20 : 1 }

  private static func withoutNumbers(_ message: String) -> String {
    String(decoding: message.utf8.lazy.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self)
  }
}
