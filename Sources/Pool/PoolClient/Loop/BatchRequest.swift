import BatchLayout
import Buffers
import Hashing
import PoolLayouts
import PoolProtocol

/// A batch that a client wants laid out, without its rows.
public struct BatchRequest: Sendable {
  /// A `ProgramArchive`.
  public let program: OwnedBytes
  public let variants: [Variant]
  public let description: BatchDescription

  /// - Parameters:
  ///   - program: A `ProgramArchive`.
  ///   - priority: Batches of a higher priority are served first.
  ///   - input: The name of the input of rows, for people.
  ///   - resendsRows: Whether the client sends the rows again when the batch is resumed, so that the coordinator need not
  ///     store them.
  public init(
    program: ByteBlock, variants: [Variant], priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    self.program = OwnedBytes(program)
    self.variants = variants
    description = BatchDescription(
      program: self.program.withBytes { SHA256.hash($0) }, variants: variants.map { BatchVariant($0) },
      priority: priority, input: input, resendsRows: resendsRows)
  }

  /// The SHA-256 of the program.
  public var programHash: ProgramID { description.program }
}
