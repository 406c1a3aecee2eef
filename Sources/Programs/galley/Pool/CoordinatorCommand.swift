import ArgumentParser
import GalleyWorker
import PoolCoordinator
import PoolCoordinatorCore
import PoolSecurity
import Processes
import ZeroMQ

struct CoordinatorCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator", abstract: "Run a coordinator to which workers and clients connect.",
    discussion: """
      Examples: galley coordinator --listen ipc:///run/user/1000/galley --workers 2
                galley coordinator --listen tcp://0.0.0.0:5555 --keys keys
      """)

  @Option(
    help:
      "An endpoint to listen at, such as ipc:///run/user/1000/galley or tcp://0.0.0.0:5555. Can be repeated.")
  var listen: [String]

  @Option(
    help:
      "The directory of keys that galley keys made. Connections to tcp:// and ipc://@ endpoints then need an allowed key.",
    completion: .directory)
  var keys: String?

  @Flag(help: "Accept every connection at tcp:// and ipc://@ endpoints, without keys.")
  var insecure = false

  @Option(help: "The number of worker processes that the coordinator starts.")
  var workers = 0

  @Option(
    help: "The directory in which batches are stored, so that they survive a restart of the coordinator.",
    completion: .directory)
  var spool: String?

  @Option(
    help: """
      The size that the spool may have, such as 20GiB or 512MiB. At the limit, new batches are refused and accepted ones \
      pause.
      """)
  var spoolLimit: ByteSize?

  @Option(
    help: """
      The time after which a batch is removed from the spool that is complete and was not fetched, such as 7d, 12h, 30m \
      or 90s, and at most 3650d.
      """,
    transform: { try TimeSpan(argument: $0) })
  var keep: TimeSpan?

  @Option(help: "The number of batches that are not done and that one key may have, with --keys. (default: 1000)")
  var keyBatches: Int?

  @Option(
    help: "The size that the batches of one key may have in the spool, with --keys. By default half of --spool-limit.")
  var keySpoolLimit: ByteSize?

  @Option(help: "The least time in seconds after which a job expires and its worker is disconnected.")
  var jobDeadline: UInt32 = 10

  @OptionGroup var log: LogOptions

  static let isService = true

  func validate() throws {
    guard (1...86_400).contains(jobDeadline) else {
      throw ValidationError("--job-deadline is from 1 to 86400 seconds")
    }
    guard (0...1024).contains(workers) else { throw ValidationError("--workers is from 0 to 1024") }
    guard spool != nil || (spoolLimit == nil && keep == nil) else {
      throw ValidationError("--spool-limit and --keep need --spool")
    }
    guard keyBatches ?? 1 >= 1 else { throw ValidationError("--key-batches is at least 1") }
    guard keyBatches == nil || keys != nil else { throw ValidationError("--key-batches needs --keys") }
    guard keySpoolLimit == nil || (spool != nil && keys != nil) else {
      throw ValidationError("--key-spool-limit needs --spool and --keys")
    }
    guard keys == nil || !insecure else { throw ValidationError("--keys and --insecure exclude each other") }
    for text in listen {
      guard let endpoint = Endpoint(text) else {
        throw ValidationError("\(text) is no ipc://PATH, ipc://@NAME or tcp://HOST:PORT endpoint")
      }
      if case .abstract = endpoint, keys == nil, !insecure {
        throw ValidationError(
          "every user of this machine can connect to \(text): require keys (--keys DIR, which galley keys DIR creates), "
            + "listen at ipc://PATH in a directory of your own, or accept every connection (--insecure)")
      }
      guard endpoint.isLocal || keys != nil || insecure else {
        throw ValidationError(
          "\(text) can be reached from other machines: require keys (--keys DIR, which galley keys DIR creates), "
            + "listen at tcp://127.0.0.1 or ipc://, or accept every connection (--insecure)")
      }
    }
  }

  /// Sentences about the given options that have no effect with the others.
  private var withoutEffect: [String] {
    var sentences: [String] = []
    if !listen.contains(where: Endpoint.usesKeys), insecure || keys != nil {
      sentences.append(
        "\(insecure ? "--insecure" : "--keys") has no effect: all endpoints are ipc://PATH, where the permissions of the "
          + "directory state who can connect")
    }
    if let limit = spoolLimit, let ofKey = keySpoolLimit, ofKey.bytes > limit.bytes {
      sentences.append("--key-spool-limit has no effect: the spool reaches --spool-limit, which is lower, before")
    }
    return sentences
  }

  func run() throws {
    Interruption.catchSignals()
    let log = makeLog()
    var locks: [EndpointLock] = []
    defer { for lock in locks { lock.release() } }
    // The system refuses a second socket at the other endpoints.
    for endpoint in listen where !Endpoint.usesKeys(endpoint) { locks.append(try EndpointLock(endpoint)) }
    // Also without keys, so that the reload of a service never ends the coordinator.
    Reload.catchSignal()
    let authenticator = try keys.map { try CurveAuthenticator(KeyDirectory($0), log: log) }
    var options = Coordinator.Options()
    // The coordinator's own workers connect to a private ipc endpoint, which needs no key.
    if workers > 0 { options.workers = (try LocalWorkers(command: WorkerCommand.commandLine(self.log)), workers) }
    options.core.jobDeadline = jobDeadline
    options.spool = try spool.map { try Spool($0) }
    (options.core.spoolLimit, options.core.keepTime) = (spoolLimit?.bytes, keep.map { $0.seconds * 1_000_000_000 })
    if let keyBatches { options.core.batchesOfKey = keyBatches }
    options.core.spoolBytesOfKey = keySpoolLimit?.bytes
    let coordinator = try Coordinator(
      try Context(), endpoints: listen, authenticator: authenticator, options, log: log)
    log.info("listening at \(coordinator.endpoints.joined(separator: ", "))")
    for text in withoutEffect { log.warning(text) }
    for exposure in listen.compactMap({ Endpoint($0)?.exposure }) { log.warning(exposure) }
    try coordinator.run(drains: true) { Interruption.isRequested }
    log.info("the coordinator ends: signal \(Interruption.exitCode - 128)")
  }
}
