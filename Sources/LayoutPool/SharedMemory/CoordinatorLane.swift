import PoolMessages
import ZeroMQ

/// What the coordinator has in common with a worker on its machine; the other end of a `WorkerLane`.
final class CoordinatorLane {
  private let own: SharedMemory
  private let workers: PeerMemory
  /// The worker has shown that it sees the coordinator's memory.
  private var isSeen = false

  /// Nil when the worker offers none, or none that can be seen.
  init?(_ hello: PoolFromWorker.Hello) {
    guard hello.hasMemory, let workers = PeerMemory(hello.memory), let own = SharedMemory() else { return nil }
    (self.own, self.workers) = (own, workers)
  }

  /// Leaves a job's lines for the worker; false when they have to go by the socket.
  func leave(_ lines: Frame, in job: inout PoolToWorker.Job) -> Bool {
    guard isSeen else {
      job.memory = own.reference
      return false
    }
    let left = lines.withBytes { bytes in
      own.leave(size: bytes.count) { start in
        UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
      }
    }
    if let left { job.lines = left }
    return left != nil
  }

  /// The columns that the worker left; nil when they are not there.
  func columns(of result: PoolFromWorker.Result) -> [Frame]? {
    isSeen = true
    var frames: [Frame] = []
    for bytes in result.columns {
      guard let frame = workers.frame(bytes) else { return nil }
      frames.append(frame)
    }
    return frames
  }
}
