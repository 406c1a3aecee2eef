import GalleyTestSupport
import Testing

@testable import Gateway

/// Tests of the files of tokens.
@Suite struct BearerTokenTests {
  @Test(arguments: ["", "\n", "\r\n", " \n# a comment\n"])
  func aTokenIsTheFirstLineOfAFile(rest: String) throws {
    let scratch = Scratch()
    _ = try BearerToken(file: scratch.file("token", "0123456789abcdef" + rest))
  }

  @Test(arguments: ["", "0123456789abcde\n", "0123456789 abcdef", "\n0123456789abcdef"])
  func aLineThatIsNoTokenIsRefused(text: String) throws {
    let scratch = Scratch()
    let path = try scratch.file("token", text)
    #expect(throws: BearerToken.FileError.self) { try BearerToken(file: path) }
  }
}
