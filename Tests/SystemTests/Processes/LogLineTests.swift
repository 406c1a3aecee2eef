import Foundation
import SeededRandom
import Testing

@testable import Processes

/// Tests of the lines of a log.
@Suite struct LogLineTests {
  private func text(_ message: String, _ format: Log.Format = .text, times: Int = 1) -> String {
    LogLine(
      LogLimit.Line(level: .warning, message: message, times: times), name: "galley worker",
      time: timespec(tv_sec: 1_795_404_956, tv_nsec: 7_999_999)
    ).text(format)
  }

  @Test func aLineHasItsTimeLevelAndProcess() {
    #expect(
      text("a job is late", times: 17)
        == "2026-11-23T03:35:56.007Z warning galley worker[\(getpid())]: a job is late (17 times)\n")
  }

  @Test func aLineIsAJSONObject() throws {
    let line = text("the cell \"A\\B\" is late", .json, times: 2)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(fields["message"] as? String == "the cell \"A\\B\" is late")
    #expect(fields["level"] as? String == "warning")
    #expect(fields["process"] as? String == "galley worker")
    #expect(fields["pid"] as? Int == Int(getpid()))
    #expect(fields["times"] as? Int == 2)
    #expect(fields["time"] as? String == "2026-11-23T03:35:56.007Z")
  }

  @Test func whatPeersSendIsEscapedAndCut() {
    let hostile = "\u{1b}]0;title\u{7}\n\u{202e}" + String(repeating: "x", count: 250_000)
    let escaped = LogLine.escaped(hostile)
    #expect(escaped.hasPrefix("\\u{1b}]0;title\\u{7}\\n\\u{202e}xxx"))
    #expect(escaped.hasSuffix("x… (248012 further characters)"))
  }

  @Test func aMessageOfSeveralLinesIsOneLine() throws {
    #expect(text("2 mistakes:\n\tone").hasSuffix(": 2 mistakes:\\n\\u{9}one\n"))
    #expect(text("2 mistakes:\n\tone", .json).hasSuffix("\"message\":\"2 mistakes:\\n\\tone\"}\n"))
  }

  @Test func charactersThatControlATerminalAreEscapedAsJSONHasIt() {
    #expect(LogLine.json("\u{1b}[2J\u{9b}\u{202e}\u{e0001}\\n") == #""\u001b[2J\u009b\u202e\udb40\udc01\\n""#)
  }

  @Test func aLongMessageIsCutInJSONToo() throws {
    let line = text(String(repeating: "\n", count: 250_000), .json)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(
      fields["message"] as? String == String(repeating: "\n", count: 2_000) + "… (248000 further characters)")
  }

  /// A line of any characters is one line of JSON with that message.
  @Test func linesOfRandomCharactersAreOneJSONObjectEach() throws {
    var random = SplitMix(seed: 18)
    for _ in 0..<300 {
      var message = ""
      for _ in 0..<40 {
        let range: UInt32 = random.next() % 2 == 0 ? 0x100 : 0x11_0000
        if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: random.next()) % range) {
          message.unicodeScalars.append(scalar)
        }
      }
      let line = text(message, .json)
      #expect(line.utf8.count { $0 < 0x20 || $0 == 0x7f } == 1 && line.hasSuffix("\n"))
      let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect((fields["message"] as? String).map { Array($0.utf8) } == Array(message.utf8))
    }
  }

  @Test(arguments: [
    (-157_766_400, "1965-01-01T00:00:00.000Z"), (0, "1970-01-01T00:00:00.000Z"),
    (19_880_899_200, "2600-01-01T00:00:00.000Z"),
  ])
  func anyTimeHasATimeStamp(seconds: Int, expected: String) {
    #expect(LogLine.timeStamp(timespec(tv_sec: seconds, tv_nsec: 0)) == expected)
  }
}
