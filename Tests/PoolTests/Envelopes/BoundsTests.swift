import Testing

@testable import PoolEnvelopes

/// Tests of the bounds on texts and numbers of peers.
@Suite struct BoundsTests {
  @Test func aLongTextIsCutBetweenScalars() {
    #expect("abcdef".bounded(6) == "abcdef")
    #expect("abcdefg".bounded(6) == "abc…")
    for count in 4...40 {
      let text = String(repeating: "aä€😀", count: 10).bounded(count)
      #expect(text.utf8.count <= count && text.hasSuffix("…") && !text.unicodeScalars.contains("\u{fffd}"))
    }
  }

  @Test func controlCharactersAreReplaced() {
    #expect("a\u{1b}[2J\n\u{9b}\u{202e}b".bounded(100) == "a?[2J???b")
    #expect("a\n\tb\r".bounded(100, keepsLines: true) == "a\n\tb?")
  }

  @Test func numbersAreKeptInTheirRange() {
    #expect(Double.nan.bounded(in: 0...1) == 0)
    #expect(Double.infinity.bounded(in: 0...1) == 1)
    #expect((-Double.infinity).bounded(in: 0...1) == 0)
    #expect(0.5.bounded(in: 0...1) == 0.5)
  }
}
