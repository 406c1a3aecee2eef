import Foundation
import PoolProtocol

extension PoolStatus {
  /// Returns the state as JSON, with all fields and with numbers as numbers.
  public func json() throws -> String { try jsonText(of: self) }
}

extension PoolStatus.Batch {
  /// Returns the batch as JSON, as it is in the state.
  public func json() throws -> String { try jsonText(of: self) }
}

private func jsonText(of value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
