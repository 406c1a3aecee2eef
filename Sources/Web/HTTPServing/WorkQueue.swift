import NIOPosix

/// Threads that work on requests, and the bound of what waits for them.
final class WorkQueue: Sendable {
  private let threads: NIOThreadPool
  private let capacity: Int
  private let counts: ServerCounts

  init(_ limits: ServerLimits, _ counts: ServerCounts) {
    threads = NIOThreadPool(numberOfThreads: limits.workers)
    capacity = limits.workers + limits.waiting
    self.counts = counts
    threads.start()
  }

  /// Reserves a place for a request. Returns false if there is none.
  func reserve() -> Bool { counts.beginWork(capacity: capacity) }

  /// Gives a place back that is not used.
  func release() { counts.endWork(capacity: capacity) }

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
