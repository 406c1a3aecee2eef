import Synchronization

/// The body of a request.
public struct RequestBody: Sendable {
  /// What is known of the reception of a body.
  final class Reception: Sendable {
    let isComplete: Atomic<Bool>

    init(isComplete: Bool) { self.isComplete = Atomic(isComplete) }
  }

  /// A descriptor from which the body is read. Whoever reads it closes it.
  public let descriptor: Int32
  let reception: Reception

  /// Whether the body was received completely. A short body is before the work on it begins, and is in a file. Another is read from a
  /// pipe while it comes.
  public var isComplete: Bool { reception.isComplete.load(ordering: .relaxed) }
}
