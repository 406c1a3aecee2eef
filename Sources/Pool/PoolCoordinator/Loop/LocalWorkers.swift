import PoolSecurity
import ZeroMQ

/// The worker processes of a coordinator in this process. The first one starts at once, so that it is ready when this process has
/// read the cells and opened the rows, or has read its spool.
public final class LocalWorkers {
  let processes: WorkerProcesses
  /// The directory of the endpoint to which the workers connect.
  let directory: PrivateDirectory

  /// - Parameter command: The program of a worker and its arguments; `--connect` and its endpoint are added.
  public init(command: [String]) throws(ZeroMQError) {
    directory = try PrivateDirectory()
    processes = WorkerProcesses(command: command + ["--connect", directory.endpoint])
    processes.startEarly()
  }

  deinit { processes.stop() }
}
