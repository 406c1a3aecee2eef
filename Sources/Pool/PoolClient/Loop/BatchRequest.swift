import Buffers
import Hashing
import LayoutEngine
import PoolProtocol

/// The request of a client for the layout of a batch, without its rows.
public struct BatchRequest: Sendable {
  /// Returns the parts of the `ProgramArchive`, or throws an error in reading it.
  public let programParts: @Sendable () throws -> [OwnedBytes]
  private let hash: @Sendable () -> ProgramID
  public let variants: [Variant]
  private let priority: Int32
  /// The name of the input of rows, for people.
  public let input: String
  private let resendsRows: Bool
  /// Whether the rows that are sent are not all rows of the list, because the client takes the others from an earlier run.
  public var isPartial = false

  /// - Parameters:
  ///   - program: A `ProgramArchive`.
  ///   - priority: Batches of a higher priority are served first.
  ///   - input: The name of the input of rows, for people.
  ///   - resendsRows: Whether the client sends the rows again when the batch is resumed. The coordinator then stores results
  ///     only.
  public init(
    program: OwnedBytes, variants: [Variant], priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    let parts = [program]
    let hash = BackgroundSHA256(parts)
    self.init(
      programHash: hash.value, read: { parts }, variants: variants, priority: priority, input: input,
      resendsRows: resendsRows)
  }

  /// Creates a request whose program is read when it is needed.
  ///
  /// - Parameters:
  ///   - programHash: A function that returns the SHA-256 of the program. It is called when the hash is needed.
  ///   - read: A function that returns the parts of a `ProgramArchive` with that hash.
  public init(
    programHash: @escaping @autoclosure @Sendable () -> ProgramID,
    read: @escaping @Sendable () throws -> [OwnedBytes], variants: [Variant],
    priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    (hash, programParts, self.variants, self.priority) = (programHash, read, variants, priority)
    (self.input, self.resendsRows) = (input, resendsRows)
  }

  /// The SHA-256 of the program.
  public var programHash: ProgramID { hash() }

  public var description: BatchDescription {
    BatchDescription(
      program: programHash, variants: variants, priority: priority, input: input, resendsRows: resendsRows,
      isPartial: isPartial)
  }
}
