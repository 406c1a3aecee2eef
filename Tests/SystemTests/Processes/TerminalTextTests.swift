import Testing

@testable import Processes

/// Tests of texts for people.
@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("\u{1b}]0;title\u{7}\u{9b}2J", #"\u{1b}]0;title\u{7}\u{9b}2J"#), ("a\r\u{8}b", #"a\u{d}\u{8}b"#),
    ("\u{202e}evil\u{2066}\u{2028}", #"\u{202e}evil\u{2066}\u{2028}"#),
  ])
  func charactersThatControlATerminalAreEscaped(text: String, expected: String) {
    #expect(text.escapedForTerminal == expected)
  }

  @Test(arguments: [
    "2 mistakes:\n\tone", "390 pt · “Zoë” … 👍🏽 שלום", "a\\u{1b}", "", "👨\u{200d}👩\u{200d}👧 می\u{200c}خواهم क्\u{200d}ष",
    "co\u{ad}op",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ])
  func linesAndLettersOfAllScriptsStay(text: String) {
    #expect(text.escapedForTerminal == text)
  }

  @Test func aLongTextIsNotCut() {
    let text = String(repeating: "x", count: 250_000)
    #expect(text.escapedForTerminal == text)
  }
}
