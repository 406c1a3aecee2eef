import Glibc
import Synchronization

/// The body of a request.
public final class RequestBody: Sendable {
  /// A descriptor from which the body is read. Whoever reads it closes it.
  public let descriptor: Int32
  private let isReceived: Atomic<Bool>

  init(_ descriptor: Int32, isComplete: Bool) {
    self.descriptor = descriptor
    isReceived = Atomic(isComplete)
  }

  /// Whether the body was received completely. A short body is before the work on it begins, and is in a file. Another is read from a
  /// pipe while it comes.
  public var isComplete: Bool { isReceived.load(ordering: .relaxed) }

  /// The rest of the body was received.
  func complete() { isReceived.store(true, ordering: .relaxed) }

  /// Closes a body that is not read.
  public func discard() { close(descriptor) }
}
