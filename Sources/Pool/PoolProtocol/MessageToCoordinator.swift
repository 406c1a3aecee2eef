/// A message that the coordinator receives.
public enum MessageToCoordinator: Sendable {
  case worker(WorkerMessage)
  case client(ClientMessage)
  /// A message without content, which a peer of a later version may send.
  case unknown
}
