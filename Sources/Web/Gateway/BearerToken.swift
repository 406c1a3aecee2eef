import Buffers
import Foundation
import HTTPServing

/// The token that requests state in `Authorization: Bearer …` (RFC 6750).
public struct BearerToken: Sendable {
  /// The token has a wrong form, or its file cannot be read.
  public struct FileError: Error {
    public let message: String
  }

  /// The numbers of characters that a token may have. A short one could be guessed.
  static let lengths = 16...4096

  private let token: [UInt8]

  /// Reads a token from a file or a pipe, whose first line it is. Only blank lines and those that begin with # may follow.
  ///
  /// - Throws: `FileError`.
  public init(file path: String) throws(FileError) {
    let text = String(decoding: try Self.bytes(of: path), as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.dropFirst().allSatisfy({ $0.hasPrefix("#") || $0.allSatisfy(\.isWhitespace) }) else {
      throw FileError(
        message: "\(path): the token is the only line of its file, and this one has more; remove the other lines")
    }
    let token = Array(lines[0].trimmingCharacters(in: .whitespaces).utf8)
    guard Self.lengths.contains(token.count), token.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw FileError(
        message:
          "\(path): a token is one line of \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) ASCII characters "
          + "without spaces; make one: openssl rand -hex 32 > \(path)")
    }
    self.token = token
  }

  /// Returns the bytes of a file, or of a pipe, which a process substitution of a shell is. Of a file that is longer than a token may
  /// be, it returns one byte more than that.
  private static func bytes(of path: String) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: lengths.upperBound + 1)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, let count = bytes.withUnsafeMutableBytes({ readAll(into: $0, from: descriptor) }) else {
      throw FileError(message: "\(path): the token cannot be read: \(String(cString: strerror(errno)))")
    }
    return Array(bytes.prefix(count))
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
