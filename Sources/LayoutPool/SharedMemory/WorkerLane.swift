import PoolMessages
import ZeroMQ

/// What a worker has in common with a coordinator on its machine: it leaves columns in memory of its own, and reads lines
/// in the coordinator's. Where they see each other's memory not, both go by the socket.
public final class WorkerLane {
  private let own = SharedMemory()
  private var coordinators: PeerMemory?

  public init() {}

  /// Offers the worker's memory.
  public func offer(in hello: inout PoolFromWorker.Hello) {
    if let own { hello.memory = own.reference }
  }

  /// The lines of a job; nil when they lie in memory that the worker does not see, or did not come.
  ///
  /// - Parameter frame: what came with the job behind its program, if anything did.
  public func lines(of job: PoolToWorker.Job, _ frame: Frame?) -> Frame? {
    if job.hasMemory, coordinators?.isOf(job.memory) != true { coordinators = PeerMemory(job.memory) }
    return job.hasLines ? coordinators?.frame(job.lines) : frame
  }

  /// Leaves frames for the coordinator; nil where they have to go by the socket.
  public func leave(_ frames: [Frame]) -> [PoolSharedBytes]? {
    leaveColumns(variants: frames.count, size: { frames[$0].count }) { variant, start in
      frames[variant].withBytes {
        UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0)
      }
    }
  }

  /// Leaves the columns of each variant for the coordinator; nil where they have to go by the socket.
  ///
  /// - Parameters:
  ///   - size: bytes of a variant's columns.
  ///   - write: writes them.
  public func leaveColumns(
    variants: Int, size: (Int) -> Int, write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> [PoolSharedBytes]? {
    // That the coordinator offered its own tells that it sees this one.
    guard let own, coordinators != nil else { return nil }
    var left: [PoolSharedBytes] = []
    for variant in 0..<variants {
      guard let bytes = own.leave(size: size(variant), { write(variant, $0) }) else {
        for bytes in left { own.takeBack(bytes) }
        return nil
      }
      left.append(bytes)
    }
    return left
  }
}
