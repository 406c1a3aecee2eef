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
  private func memory(of bytes: PoolSharedBytes) -> PeerMemory? {
    if let coordinators, coordinators.token == bytes.token { return coordinators }
    return others[bytes.memory]
  }

  func lines(_ bytes: PoolSharedBytes) -> Frame? { memory(of: bytes)?.frame(bytes) }
  func columns(_ bytes: PoolSharedBytes) -> [Frame]? { memory(of: bytes)?.frames(bytes) }

  /// A program that the coordinator shows, which has a memory of its own; nil when that is not seen.
  func program(_ bytes: PoolSharedBytes) -> Frame? {
    // With a mark, which is none of a program's, somebody would wait for it.
    bytes.mark == 0 ? PeerMemory(bytes.memory, isReadOnly: true)?.frame(bytes) : nil
  }

  /// Lets go of memory that nobody may use any more.
  func forgetOthers() { others.forget() }

  /// The lines of a job, which came with it as a frame if they are not in shared memory; nil when they are not seen.
  public func lines(of job: PoolToWorker.Job, _ frame: Frame?) -> Frame? {
    job.hasLines ? lines(job.lines) : frame
  }

  /// A frame that can be left without another copy; nil where that has no use or no room.
  func frame(copying bytes: UnsafeRawBufferPointer) -> Frame? {
    coordinators == nil ? nil : own?.frame(copying: bytes)
  }

  /// Leaves lines for the coordinator; nil where they have to go by the socket.
  func leave(_ lines: Frame) -> PoolSharedBytes? { coordinators == nil ? nil : own?.leave(lines) }

  /// Leaves columns of these sizes for the coordinator, which `write` writes; nil where they have to go by the socket.
  public func leave(columns sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void) -> PoolSharedBytes? {
    coordinators == nil ? nil : own?.leave(pieces: sizes, write: write)
  }
}
