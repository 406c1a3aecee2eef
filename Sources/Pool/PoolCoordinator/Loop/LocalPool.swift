import Buffers
import Glibc
import PoolProtocol
import Processes
import Synchronization
import ZeroMQ

/// A coordinator on a thread of this process, with worker processes, for one batch.
public final class LocalPool {
  /// The endpoint to which this process's client connects.
  public let endpoint: String
  /// The names of the batches that the spool had before.
  public let keptBatches: [String]
  public let context: Context
  private var thread: pthread_t?
  private let control = Control()

  /// The state that the coordinator's thread shares with others.
  private final class Control: Sendable {
    let shouldStop = Atomic<Bool>(false)
    let drains = Atomic<Bool>(false)
    let wakeUp = WakeUp()
    let failure = Mutex<ZeroMQError?>(nil)
  }

  /// What the coordinator's thread has. It ends with the thread, so that tens of megabytes of a program are released while others
  /// complete the tables.
  private final class CoordinatorThread {
    private let coordinator: Coordinator
    private let control: Control

    init(_ coordinator: Coordinator, _ control: Control) { (self.coordinator, self.control) = (coordinator, control) }

    func run() {
      do throws(ZeroMQError) {
        try coordinator.run(drains: control.drains.load(ordering: .relaxed), wakeUp: control.wakeUp) {
          control.shouldStop.load(ordering: .acquiring)
        }
      } catch {
        control.failure.withLock { $0 = error }
      }
    }
  }

  /// - Parameters:
  ///   - workers: The worker processes, which no other pool uses.
  ///   - count: Their number.
  ///   - program: The program of the batch, which is then neither sent nor stored.
  ///   - sharesFiles: Whether workers map the fonts that are mapped here. What other programs write there would change results.
  ///   - spool: The directory in which the batch is kept.
  public init(
    _ workers: LocalWorkers, count: Int, program: (id: ProgramID, parts: [OwnedBytes]), sharesFiles: Bool = false,
    spool: Spool?, log: Log
  ) throws {
    context = try Context()
    endpoint = "inproc://coordinator"
    var options = Coordinator.Options()
    options.workers = (workers, count)
    options.spool = spool
    // A user waits for this run and can restart it, so an unwritable spool ends it with an error instead of a pause.
    options.core.waitsForSpool = false
    (options.core.programs, options.core.sharesFiles) = ([program], sharesFiles)
    let coordinator = try Coordinator(context, endpoints: [endpoint], options, log: log)
    keptBatches = coordinator.batchNames
    try start(CoordinatorThread(coordinator, control))
  }

  private func start(_ run: CoordinatorThread) throws {
    let run = Unmanaged.passRetained(run)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { run in
        if let run { Unmanaged<CoordinatorThread>.fromOpaque(run).takeRetainedValue().run() }
        return nil
      }, run.toOpaque())
    guard code == 0 else {
      run.release()
      throw ZeroMQError(code: code, operation: "cannot start the coordinator's thread")
    }
    self.thread = thread
  }

  /// Has the workers and the coordinator end, without waiting for that.
  ///
  /// - Parameter drains: Whether the coordinator first handles the messages of its client: then a batch that was cancelled is
  ///   not reported as failed.
  public func requestStop(drains: Bool = false) {
    control.drains.store(drains, ordering: .relaxed)
    // Who sees that it should stop also sees whether it drains.
    control.shouldStop.store(true, ordering: .releasing)
    control.wakeUp?.wake()
  }

  /// Ends the workers and the coordinator; see `requestStop`.
  public func stop(drains: Bool = false) {
    requestStop(drains: drains)
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  /// The reason why the coordinator ended by itself, if it did.
  public var failure: ZeroMQError? { control.failure.withLock { $0 } }

  deinit { stop() }
}
