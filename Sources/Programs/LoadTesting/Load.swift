import PoolClient

/// What a coordinator is loaded with.
public struct Load: Sendable {
  /// Batches that a run may have under way: each has a connection and a file, and a process 1024 descriptors as a rule.
  public static let maxClients = 256

  public let request: BatchRequest
  let rows: LoadRows
  let mix: BatchMix
  /// What an error says to people.
  let describe: @Sendable (any Error) -> String

  public init(
    _ request: BatchRequest, rows: LoadRows, mix: BatchMix,
    describe: @escaping @Sendable (any Error) -> String
  ) {
    self.request = request
    self.rows = rows
    self.mix = mix
    self.describe = describe
  }
}
