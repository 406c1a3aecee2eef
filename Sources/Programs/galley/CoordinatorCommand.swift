import ArgumentParser
import GalleyWorker
import PoolCoordinator
import PoolSecurity
import Processes
import ZeroMQ

struct CoordinatorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator", abstract: "Run a coordinator to which workers and clients connect.",
    discussion: """
      Examples: galley coordinator --listen ipc:///run/user/1000/galley --workers 2
                galley coordinator --listen tcp://0.0.0.0:5555 --keys keys
      """)

  @Option(
    help:
      "Endpoint to listen at, such as ipc:///run/user/1000/galley or tcp://0.0.0.0:5555; may be given several times.")
  var listen: [String]

  @Option(help: "Directory of keys, as `galley keys` makes it: only who has an allowed one gets in at tcp endpoints.")
  var keys: String?

  @Flag(help: "Let everybody in who can reach a tcp endpoint.")
  var insecure = false

  @Option(help: "Worker processes of its own.")
  var workers = 0

  @Option(help: "Directory in which batches are kept until they are fetched, whatever ends meanwhile.")
  var spool: String?

  @Option(help: "Seconds that a job may take at least before its worker is given up.")
  var jobDeadline: UInt32 = 10

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (1...86_400).contains(jobDeadline) else {
      throw ValidationError("--job-deadline is from 1 to 86400 seconds")
    }
    guard (0...1024).contains(workers) else { throw ValidationError("--workers is from 0 to 1024") }
    guard keys == nil || !insecure else { throw ValidationError("--keys and --insecure exclude each other") }
    for text in listen {
      guard let endpoint = Endpoint(text) else {
        throw ValidationError("\(text) is neither an ipc://PATH nor a tcp://HOST:PORT endpoint")
      }
      guard endpoint.isLocal || keys != nil || insecure else {
        throw ValidationError(
          "\(text) can be reached from other machines: have it ask for keys (--keys DIR, which `galley keys DIR` makes), "
            + "listen at tcp://127.0.0.1 or ipc://, or let everybody in (--insecure)")
      }
    }
  }

  func run() throws {
    Interruption.catchSignals()
    let log = log.log("galley coordinator")
    let locks = try listen.filter { $0.hasPrefix("ipc://") }.map { try EndpointLock($0) }
    defer { for lock in locks { lock.release() } }
    var authenticator: CurveAuthenticator?
    if let keys {
      Reload.catchSignal()
      authenticator = try CurveAuthenticator(KeyDirectory(keys), log: log)
    }
    // Its own workers need neither a key nor a port.
    let directory = workers > 0 ? try PrivateDirectory() : nil
    var options = Coordinator.Options()
    options.workers = directory.map { (WorkerCommand.commandLine + ["--connect", $0.endpoint], workers) }
    options.jobDeadline = jobDeadline
    options.spool = try spool.map { try Spool($0) }
    let coordinator = try Coordinator(
      try Context(), endpoints: listen + (directory.map { [$0.endpoint] } ?? []), authenticator: authenticator,
      options, log: log)
    log.info("listening at \(coordinator.endpoints.joined(separator: ", "))")
    for exposure in listen.compactMap({ Endpoint($0)?.exposure }) { log.warning(exposure) }
    try withExtendedLifetime(directory) { try coordinator.run(drains: true) { Interruption.isRequested } }
  }
}
