import BatchLayout
import Buffers
import PoolMessages
import ZeroMQ

/// What a client asks for: the rows come apart.
public struct BatchRequest: Sendable {
  /// A `ProgramArchive`, and its SHA-256.
  public private(set) var program: Frame
  public let programHash: [UInt8]
  public let variants: [Variant]
  /// Batches of a higher one are served first.
  public let priority: Int32
  /// The rows' file, for people.
  public let input: String
  /// Whether the coordinator need not keep the rows: the client sends them again to go on with the batch.
  public let resendsRows: Bool

  /// - Parameter program: a `ProgramArchive`.
  public init(
    program: ByteBlock, variants: [Variant], priority: Int32 = 0, input: String, resendsRows: Bool = false
  ) {
    (self.program, programHash) = program.withBytes { bytes in
      let bytes = UnsafeRawBufferPointer(bytes.bytes)
      return (Frame(bytes: bytes, keeping: program), SHA256.hash(bytes))
    }
    self.variants = variants
    self.priority = priority
    self.input = input
    self.resendsRows = resendsRows
  }

  /// The same for another thread: libzmq counts what shares a frame's bytes in the frame itself.
  public func forAnotherThread() -> BatchRequest {
    var copy = self
    copy.program = program.share()
    return copy
  }
}

/// A batch that a coordinator keeps.
public struct KeptBatch {
  public let name: String
  public let programHash: [UInt8]
  public let variants: [Variant]
  public let input: String
}

/// What a batch's rows were read from.
public struct BatchInput {
  public let bytes: UInt64
  public let hash: String

  public init(bytes: UInt64, hash: String) {
    self.bytes = bytes
    self.hash = hash
  }
}

extension BatchRequest {
  func asks(for program: some Sequence<UInt8>, in variants: [PoolVariant]) -> Bool {
    Array(program) == programHash && variants.map(\.variant) == self.variants
  }
}
