import Foundation
import PoolProtocol

extension PoolStatus {
  /// Returns the state as JSON, with all fields and with numbers as numbers.
  public func json() throws -> String { try StatusDocument.json(self) }
}

extension PoolStatus.Batch {
  /// Returns the batch as JSON, as it is in the state.
  public func json() throws -> String { try StatusDocument.json(self) }
}

/// The form of states as JSON.
private enum StatusDocument {
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The number of a process has the same name in all JSON of the program.
    encoder.keyEncodingStrategy = .custom { path in
      path.last?.stringValue == "process" ? Key.pid : path[path.count - 1]
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private enum Key: String, CodingKey { case pid }
}
