import Foundation
import GalleyTestSupport
import Testing

@testable import Gateway

/// Tests of the files of tokens.
@Suite struct BearerTokenTests {
  private let scratch = Scratch()

  /// Returns the message of the error with which a file is refused.
  private func refusal(_ path: String) -> String? {
    do throws(BearerToken.FileError) {
      _ = try BearerToken(file: path)
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: ["", "\n", "\r\n", " \n \n", " \n# a comment\n"])
  func aTokenIsTheOnlyLineOfAFile(rest: String) throws {
    #expect(refusal(try scratch.file("token", "0123456789abcdef" + rest)) == nil)
  }

  @Test(arguments: ["", "0123456789abcde\n", "0123456789 abcdef", String(repeating: "0", count: 4097)])
  func aLineThatIsNoTokenIsRefused(text: String) throws {
    let path = try scratch.file("token", text)
    #expect(
      refusal(path)
        == "\(path): a token is one line of 16 to 4096 ASCII characters without spaces; make one: openssl rand -hex 32 > "
        + path)
  }

  @Test(arguments: ["0123456789abcdef\nfedcba9876543210\n", "\n0123456789abcdef"])
  func aFileOfSeveralLinesIsRefused(text: String) throws {
    let path = try scratch.file("token", text)
    #expect(
      refusal(path) == "\(path): the token is the only line of its file, and this one has more; remove the other lines")
  }

  @Test func aTokenCanComeFromAPipe() {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("0123456789abcdef\n".utf8))
    pipe.fileHandleForWriting.closeFile()
    withExtendedLifetime(pipe) { #expect(refusal("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == nil) }
  }

  @Test func aFileThatCannotBeReadIsRefusedWithTheReason() {
    let directory = scratch.path("")
    #expect(refusal(directory) == "\(directory): the token cannot be read: Is a directory")
    let missing = scratch.path("missing")
    #expect(refusal(missing) == "\(missing): the token cannot be read: No such file or directory")
  }
}
