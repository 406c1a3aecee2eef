import NIOPosix
import Synchronization

/// Threads that work on requests, and the bound of what waits for them.
final class WorkQueue: Sendable {
  private let threads: NIOThreadPool
  private let capacity: Int
  private let accepted = Atomic<Int>(0)

  init(_ limits: ServerLimits) {
    threads = NIOThreadPool(numberOfThreads: limits.workers)
    capacity = limits.workers + limits.waiting
    threads.start()
  }

  /// Reserves a place for a request. Returns false if there is none.
  func reserve() -> Bool {
    guard accepted.add(1, ordering: .relaxed).newValue <= capacity else {
      accepted.subtract(1, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Gives a place back that is not used.
  func release() { accepted.subtract(1, ordering: .relaxed) }

  /// Does work in a place that was reserved.
  func perform(_ work: @escaping @Sendable () -> Void) {
    threads.submit { state in
      if state == .active { work() }
      self.release()
    }
  }

  /// Ends the threads when they have ended their work.
  func stop() throws { try threads.syncShutdownGracefully() }
}
