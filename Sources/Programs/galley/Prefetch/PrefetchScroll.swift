import Buffers
import CellTemplates
import ListTables

/// Reads scrolls, with lines such as `{"t": 0.5, "offset": 300}`.
enum PrefetchScroll {
  /// The largest number of lines. A scroll at 120 lines a second has them after more than two hours.
  private static let maxLines = 1_000_000
  private static let keys = ["t", "offset"]

  /// Returns the lines of an input. One bad line makes the scroll another one, so that it is an error of all.
  static func lines(of input: PrefetchInput) throws -> [PrefetchReplay.Line] {
    let parser = JSONParser()
    var lines: [PrefetchReplay.Line] = []
    try input.forEachLine { text, number in
      do throws(CellError) {
        lines.append(try line(text, after: lines.last, parser))
      } catch {
        throw RunFailure(message: "\(input.name):\(number): \(error.message)")
      }
      guard lines.count <= maxLines else {
        throw RunFailure(message: "\(input.name): has more than \(maxLines) lines; write fewer of them a second")
      }
    }
    guard !lines.isEmpty else {
      throw RunFailure(message: #"\#(input.name): has no lines; write lines such as {"t": 0.5, "offset": 300}"#)
    }
    return lines
  }

  private static func line(
    _ text: ByteString, after last: PrefetchReplay.Line?, _ parser: JSONParser
  ) throws(CellError) -> PrefetchReplay.Line {
    guard text.count <= PrefetchInput.maxLength else {
      throw CellError("is longer than \(PrefetchInput.maxLength) bytes, the limit for a line")
    }
    var time: Double?
    var offset: Double?
    try PrefetchObject.forEachMember(of: text, parser, example: #"{"t": 0.5, "offset": 300}"#) {
      (key, value) throws(CellError) in
      switch key {
      case "t": time = try PrefetchObject.number(value, "t", "seconds")
      case "offset": offset = try PrefetchObject.points(value, "offset")
      default: throw PrefetchObject.unknown(key, "a line of a scroll", keys)
      }
    }
    guard let time else { throw CellError("t is missing; write the time in seconds") }
    guard let offset else { throw CellError("offset is missing; write the offset in points") }
    if let last, time < last.time {
      throw CellError("t is \(time), before \(last.time) of the line before; sort the lines by t")
    }
    return PrefetchReplay.Line(time: time, offset: offset)
  }
}
