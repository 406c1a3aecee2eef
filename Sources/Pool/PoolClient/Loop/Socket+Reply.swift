import PoolClientCore
import Processes
import ZeroMQ

extension Socket {
  /// Milliseconds between calls of `shouldStop`.
  private static let step = 100

  /// Waits for a message, at most for a number of milliseconds. Returns whether there is one.
  ///
  /// - Throws: `PoolError.interrupted` when `shouldStop` returns true.
  func waitForReply(milliseconds: Int, shouldStop: () -> Bool) throws -> Bool {
    let deadline = Clock.monotonic() + UInt64(milliseconds) * 1_000_000
    while true {
      let now = Clock.monotonic()
      let left = now < deadline ? Int((deadline - now) / 1_000_000) : 0
      if try wait(milliseconds: min(left, Self.step)) { return true }
      if shouldStop() { throw PoolError.interrupted }
      if left == 0 { return false }
    }
  }
}
