import Buffers
import Dispatch
import Synchronization

/// The SHA-256 of a block of bytes. Another thread computes it.
public final class BackgroundSHA256: Sendable {
  private let hash = Mutex<[UInt8]>([])
  private let work = DispatchGroup()

  public init(_ block: ByteBlock) {
    DispatchQueue.global(qos: .userInitiated).async(group: work) { [self] in
      let found = block.withBytes { SHA256.hash(UnsafeRawBufferPointer($0.bytes)) }
      hash.withLock { $0 = found }
    }
  }

  /// The 32 bytes of the hash. The first use waits until they are computed.
  public var value: [UInt8] {
    work.wait()
    return hash.withLock { $0 }
  }
}
