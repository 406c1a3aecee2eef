/// The body of a request.
public struct RequestBody: Sendable {
  /// A descriptor from which the body is read. Whoever reads it closes it.
  public let descriptor: Int32
  /// Whether the body is complete in a file. Otherwise it is read from a pipe while it comes.
  public let isComplete: Bool
}
