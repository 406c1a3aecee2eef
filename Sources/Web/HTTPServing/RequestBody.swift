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

  /// Whether the body was received completely. If it was at the beginning of the work, it is in a file. Otherwise it is read from a
  /// pipe while it comes.
  public var isComplete: Bool { reception.isComplete.load(ordering: .relaxed) }
}
