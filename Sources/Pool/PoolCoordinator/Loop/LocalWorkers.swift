import PoolSecurity
import ZeroMQ

/// The worker processes of a coordinator in this process. The first one starts at once, so that it loads its program while this
/// process reads the cells and opens the rows.
public final class LocalWorkers {
  let processes: WorkerProcesses
  private let directory: PrivateDirectory

  /// - Parameter command: The program of a worker and its arguments; `--connect` and its endpoint are added.
  public init(command: [String]) throws(ZeroMQError) {
    directory = try PrivateDirectory()
    processes = WorkerProcesses(command: command + ["--connect", directory.endpoint])
    processes.startEarly()
  }

  /// The endpoint to which the workers connect.
  var endpoint: String { directory.endpoint }

  deinit { processes.stop() }
}
