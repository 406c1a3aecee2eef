import Glibc
import PoolMessages
import ZeroMQ

/// What a worker or a client has in common with a coordinator on its machine: each leaves bytes in memory of its own and
/// reads them in the other's, or in a third's that the coordinator shows. Where they do not see each other's memory, all
/// goes by the socket.
public final class PeerLane {
  private let own = SharedMemory()
  private var coordinators: PeerMemory?
  private var others: PeerMemories
  private var coordinator: pid_t?

  /// - Parameter others: how many other processes' memories are kept open, which keeps what is there from being freed.
  public init(others: Int = 4) { self.others = PeerMemories(limit: others, reader: own?.file) }

  /// The peer's memory, to be told to the coordinator.
  public var offer: PoolSharedMemory? { own?.reference }

  /// The coordinator sees the peer's memory, and offers its own; what is empty is no memory.
  public func meet(_ memory: PoolSharedMemory) {
    guard coordinators?.token != memory.token else { return }
    coordinators = PeerMemory(memory, reader: own?.file)
    coordinator = coordinators == nil ? nil : pid_t(clamping: memory.pid)
  }

  /// The coordinator has ended: what was left for it is given back by nobody.
  var isOrphaned: Bool { coordinator.map { kill($0, 0) != 0 && errno == ESRCH } ?? false }

  /// Token of the coordinator's memory that the peer sees; 0 if it sees none.
  public var seen: UInt64 { coordinators?.token ?? 0 }

  /// What the coordinator left or shows; nil when that is not seen.
  public func frame(_ bytes: PoolSharedBytes) -> Frame? {
    if let coordinators, coordinators.token == bytes.token { return coordinators.frame(bytes) }
    return others.frame(bytes)
  }

  /// Lets go of memory that nobody may use any more.
  func forgetOthers() { others.forget() }

  /// The lines of a job, which came with it as a frame if they are not in shared memory; nil when they are not seen.
  public func lines(of job: PoolToWorker.Job, _ frame: Frame?) -> Frame? {
    if job.hasMemory { meet(job.memory) }
    return job.hasLines ? self.frame(job.lines) : frame
  }

  /// A frame that can be left without another copy; nil where that has no use or no room.
  func frame(copying bytes: UnsafeRawBufferPointer) -> Frame? {
    coordinators == nil ? nil : own?.frame(copying: bytes)
  }

  /// Leaves frames for the coordinator; nil where they have to go by the socket.
  public func leave(_ frames: [Frame]) -> [PoolSharedBytes]? { coordinators == nil ? nil : own?.leave(frames) }

  /// Leaves so many pieces for the coordinator, of which `size` tells the bytes and `write` writes them; nil where they
  /// have to go by the socket.
  func leave(
    _ count: Int, size: (Int) -> Int, write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> [PoolSharedBytes]? {
    coordinators == nil ? nil : own?.leave(count, size: size, write: write)
  }
}
