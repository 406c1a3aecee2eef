import Foundation
import HTTPServing

/// The token that requests state in `Authorization: Bearer …` (RFC 6750).
public struct BearerToken: Sendable {
  /// The token has a wrong form, or its file cannot be read.
  public struct FileError: Error {
    public let message: String
  }

  /// The least number of characters, so that a token cannot be guessed.
  static let leastLength = 16

  private let token: [UInt8]

  /// Reads a token from a file, whose first line it is.
  ///
  /// - Throws: `FileError`.
  public init(file path: String) throws(FileError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FileError(message: "\(path): the token cannot be read: \(String(cString: strerror(errno)))")
    }
    let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
    let token = Array(line.trimmingCharacters(in: .whitespaces).utf8)
    guard token.count >= Self.leastLength, token.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw FileError(
        message:
          "\(path): a token is one line of at least \(Self.leastLength) ASCII characters without spaces; make one: "
          + "openssl rand -hex 32 > \(path)")
    }
    self.token = token
  }

  /// Returns whether a request has the token. The time does not depend on how much of the token is right.
  func isIn(_ request: HTTPRequest) -> Bool {
    guard let header = request.header("authorization") else { return false }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
    let given = Array(parts[1].utf8)
    var difference = UInt8(given.count == token.count ? 0 : 1)
    for index in token.indices { difference |= token[index] ^ (index < given.count ? given[index] : 0) }
    return difference == 0
  }
}
