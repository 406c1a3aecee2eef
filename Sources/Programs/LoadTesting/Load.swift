import PoolClient

/// The batches that a load test submits.
public struct Load: Sendable {
  /// The greatest number of concurrent batches. Each batch has a connection and a file, and the usual limit of a
  /// process is 1,024 descriptors.
  public static let maxClients = 256

  /// The program, the variants and the priority of every batch.
  public let request: BatchRequest
  let rows: LoadRows
  let mix: BatchMix
  /// A function that returns the message of an error.
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
