import ArgumentParser
import Foundation
import Processes

/// The results of a command on standard output.
enum Results {
  /// Prints a text for people, which cannot control their terminal with what is in rows and cells files.
  ///
  /// - Throws: `RunFailure` if it cannot be written; `ExitCode` if the reader of a pipe has ended, which is no error.
  static func print(_ text: String, style: TextStyle? = nil) throws {
    let text = text.escapedForTerminal
    try write((style?.applied(to: text, on: .output) ?? text) + "\n")
  }

  /// Writes a text for programs as it is.
  ///
  /// - Throws: As `print`.
  static func write(_ text: String) throws { try check(StandardStream.output.write(text)) }

  /// Prints a value as JSON with sorted keys.
  static func print(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting,
    keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  ) throws {
    try write(json(value, formatting, keys: keys) + "\n")
  }

  /// Returns a value as JSON with sorted keys.
  static func json(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting,
    keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union(.sortedKeys)
    encoder.keyEncodingStrategy = keys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Writes bytes.
  ///
  /// - Throws: As `print`.
  static func write(_ bytes: UnsafeRawBufferPointer) throws { try check(StandardStream.output.write(bytes)) }

  /// Writes several buffers, one after the other.
  ///
  /// - Throws: As `print`.
  static func write(_ buffers: [UnsafeRawBufferPointer]) throws { try check(StandardStream.output.write(buffers)) }

  private static func check(_ code: Int32) throws {
    switch code {
    case 0: break
    case EINTR: throw ExitCode(Interruption.exitCode)
    case EPIPE: throw ExitCode(ExitStatus.outputClosed)
    case let code: throw RunFailure(message: "standard output cannot be written: \(String(cString: strerror(code)))")
    }
  }
}
