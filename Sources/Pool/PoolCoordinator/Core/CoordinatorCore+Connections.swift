import LogLevels
import PoolProtocol

/// Connections that end, and messages that cannot be read.
extension CoordinatorCore {
  /// A message of a known peer is lost. A worker's jobs are therefore executed again, and a client requests its batch again.
  mutating func noteMalformedMessage(from identity: PeerIdentity, _ holder: KeyHolder) {
    state.malformedMessages += 1
    var sender = holder.name.isEmpty ? "a peer" : "a peer with the key \(holder.name)"
    if let worker = state.workersByIdentity[identity], worker.holder == holder {
      sender = worker.name
      remove(worker, inGoodOrder: true, because: "one of its messages was malformed")
    }
    for batch in state.batches.values.sorted(by: { $0.id < $1.id }) {
      guard let client = batch.client.connection?.id, client.identity == identity, client.holder == holder else {
        continue
      }
      refuseUnknown(client)
      loseClient(of: batch)
    }
    // The received parts of its program are retained.
    for client in state.uploads.keys where client.identity == identity && client.holder == holder {
      refuseUnknown(client)
    }
    // Repeated malformed messages of one peer do not fill the log.
    guard state.malformedMessages == 1 || state.malformedMessages % 10_000 == 0 else { return }
    log(.warning, "\(sender) sent a malformed message; it is ignored (\(state.malformedMessages) so far)")
  }

  /// A peer cannot be reached any more.
  mutating func disconnect(_ identity: PeerIdentity) {
    if let worker = state.workersByIdentity[identity] { remove(worker, because: "its connection has ended") }
    for batch in state.batches.values where batch.client.connection?.id.identity == identity { loseClient(of: batch) }
    state.uploads = state.uploads.filter { $0.key.identity != identity }
  }
}
