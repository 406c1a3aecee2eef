import GalleyWorker
import PoolClient
import PoolClientCore
import Processes
import ZeroMQ

extension WaitOption {
  /// Waits until a coordinator can be reached. With `--wait`, it also has to reply: the connections of one that is stopped, and
  /// those of a proxy without one, are accepted and carry nothing or end at once.
  ///
  /// - Throws: `ZeroMQError` if there is no coordinator and the user does not want to wait, or if waiting is of no use; `KeyError`;
  ///   and `PoolError.interrupted`.
  func waitForCoordinator(at endpoint: String, keys options: ClientKeyOptions) throws {
    try waitForCoordinator(at: endpoint, report: { Messages.warning($0) })
    guard wait else { return }
    let (context, keys) = (try Context(), try options.clientKeys())
    var isReported = false
    func warn(_ text: String) {
      if !isReported { Messages.warning(text) }
      isReported = true
    }
    while true {
      // A connection that carries nothing may never do so, so each attempt has another one.
      let client = try CoordinatorClient(context, endpoint: endpoint, keys: keys, warn: warn)
      do {
        _ = try client.status(shouldStop: { Interruption.isRequested })
        return
      } catch PoolError.silent {
        warn("no coordinator replies at \(endpoint) yet; waiting for it")
      }
    }
  }
}
