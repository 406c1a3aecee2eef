import CLinux
import Glibc

/// A descriptor that becomes readable when another thread wakes the one that waits for it.
public final class WakeUp: Sendable {
  /// The descriptor to wait for.
  public let descriptor: Int32
  private let input: Int32

  /// Returns nil if the system provides no pipe.
  public init?() {
    var ends: [Int32] = [-1, -1]
    guard galley_pipe(&ends, 1) == 0 else { return nil }
    (descriptor, input) = (ends[0], ends[1])
  }

  /// Wakes the other thread, once and for all.
  public func wake() { _ = write(input, [1], 1) }

  deinit {
    close(descriptor)
    close(input)
  }
}
