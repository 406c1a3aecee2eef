import BatchLayout
import Buffers
import Hashing
import LayoutEngine
import PoolClientCore
import PoolProtocol

/// The request of a client for the layout of a batch, without its rows.
public struct BatchRequest: Sendable {
  /// The program, if it was read.
  let readProgram: OwnedBytes?
  private let read: @Sendable () throws -> ByteBlock
  private let hash: @Sendable () -> ProgramID
  public let variants: [Variant]
  private let priority: Int32
  /// The name of the input of rows, for people.
  public let input: String
  private let resendsRows: Bool

  /// - Parameters:
  ///   - program: A `ProgramArchive`.
  ///   - priority: Batches of a higher priority are served first.
  ///   - input: The name of the input of rows, for people.
  ///   - resendsRows: Whether the client sends the rows again when the batch is resumed. The coordinator then stores results
  ///     only.
  public init(
    program: ByteBlock, variants: [Variant], priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    let hash = BackgroundSHA256(program)
    self.init(
      programHash: hash.value, program: program, read: { program },
      variants: variants, priority: priority, input: input, resendsRows: resendsRows)
  }

  /// Creates a request whose program is read when the coordinator requests it.
  ///
  /// - Parameters:
  ///   - programHash: A function that returns the SHA-256 of the program. It is called when the hash is needed.
  ///   - program: A `ProgramArchive`, if it was read.
  ///   - read: A function that reads the program.
  public init(
    programHash: @escaping @autoclosure @Sendable () -> ProgramID, program: ByteBlock?,
    read: @escaping @Sendable () throws -> ByteBlock, variants: [Variant],
    priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    readProgram = program.map { OwnedBytes($0) }
    self.read = read
    (hash, self.variants, self.priority, self.input) = (programHash, variants, priority, input)
    self.resendsRows = resendsRows
  }

  /// The SHA-256 of the program.
  public var programHash: ProgramID { hash() }

  public var description: BatchDescription {
    BatchDescription(
      program: programHash, variants: variants, priority: priority, input: input, resendsRows: resendsRows)
  }

  /// A `ProgramArchive`. Each access reads it, unless the request was created with it.
  ///
  /// - Throws: `PoolError.otherProgram` if what was read has another hash; an error in reading it.
  public var program: OwnedBytes {
    get throws {
      if let readProgram { return readProgram }
      let program = OwnedBytes(try read())
      guard program.withBytes({ SHA256.hash($0) }) == programHash else { throw PoolError.otherProgram }
      return program
    }
  }
}
