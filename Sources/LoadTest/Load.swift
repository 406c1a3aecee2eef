import BatchLayout
import ZeroMQ

/// What a coordinator is loaded with.
public struct Load: Sendable {
  /// Batches that a run may have under way: each has a connection and a file, and a process 1024 descriptors as a rule.
  public static let maxClients = 256

  /// A `ProgramArchive`. Sharing a frame changes it: every client has its own.
  let program: Frame
  let variants: [Variant]
  let rows: LoadRows
  let mix: BatchMix
  /// What an error says to people.
  let describe: @Sendable (any Error) -> String

  public init(
    program: Frame, variants: [Variant], rows: LoadRows, mix: BatchMix,
    describe: @escaping @Sendable (any Error) -> String
  ) {
    self.program = program
    self.variants = variants
    self.rows = rows
    self.mix = mix
    self.describe = describe
  }
}
