import Buffers
import Dispatch
import Synchronization

/// The SHA-256 of bytes. Another thread computes it.
public final class BackgroundSHA256: Sendable {
  private let hash = Mutex<[UInt8]>([])
  private let work = DispatchGroup()

  /// - Parameters:
  ///   - parts: The bytes, one part after the other.
  ///   - finish: Called with the hash on the other thread before `value` returns it.
  public init(_ parts: [OwnedBytes], finish: @escaping @Sendable ([UInt8]) -> Void = { _ in }) {
    DispatchQueue.global(qos: .userInitiated).async(group: work) { [self] in
      let found = SHA256.hash(parts)
      finish(found)
      hash.withLock { $0 = found }
    }
  }

  /// The 32 bytes of the hash. The first use waits until they are computed.
  public var value: [UInt8] {
    work.wait()
    return hash.withLock { $0 }
  }
}
