import ArgumentParser
import Foundation
import GalleyWorker
import Glibc
import LayoutPool
import ZeroMQ

struct CoordinatorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator", abstract: "Run a coordinator to which workers and clients connect.",
    discussion: "Example: galley coordinator --listen ipc:///run/user/1000/galley --workers 2")

  @Option(help: "Endpoint to listen at, such as ipc:///run/user/1000/galley; may be given several times.")
  var listen: [String]

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
    for endpoint in listen where !endpoint.hasPrefix("ipc://") {
      throw ValidationError("\(endpoint) is not an ipc:// endpoint")
    }
  }

  func run() throws {
    Interruption.catchSignals()
    let log = log.log("galley coordinator")
    let locks = try listen.map { try EndpointLock($0) }
    defer { for lock in locks { lock.release() } }
    let fleet =
      workers > 0
      ? WorkerFleet(command: WorkerCommand.commandLine + ["--connect", listen[0]], count: workers, log: log) : nil
    let coordinator = try Coordinator(
      try Context(), endpoints: listen, fleet: fleet, jobDeadline: jobDeadline, spool: spool.map { try Spool($0) },
      log: log)
    log.info("listening at \(listen.joined(separator: ", "))")
    try coordinator.run(drains: true) { Interruption.isRequested }
  }
}

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run a worker process.",
    discussion: "Example: galley worker --connect ipc:///run/user/1000/galley")

  @OptionGroup var options: WorkerOptions

  /// What starts a worker of this very program, to end with its parent.
  static var commandLine: [String] { ["/proc/self/exe", "worker", "--parent", "\(getpid())"] }

  func run() throws { try options.run() }
}

struct SubmitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Have a running coordinator lay out rows, and write the tables.",
    discussion:
      "Example: galley submit posts.jsonl --cells posts.yaml --width 390 --output tables --connect ipc:///run/user/1000/galley"
  )

  @OptionGroup var input: InputOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var priority: PriorityOption

  @Flag(help: "Leave the batch to the coordinator, and print the name by which galley fetch gets its tables.")
  var detach = false

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  func validate() throws {
    if detach {
      guard tables.output == nil else {
        throw ValidationError("--output is for galley fetch when the batch is detached")
      }
    } else {
      _ = try tables.directory()
    }
  }

  func run() throws {
    Interruption.catchSignals()
    let context = try Context()
    if detach {
      let name = try BatchClient(context, endpoint: connect).submit(
        try BatchRequest(input, priority: priority.priority), rows: try RowsReader(input.rows),
        shouldStop: { Interruption.isRequested })
      return print(name)
    }
    let run = try BatchRun(input, tables, priority: priority.priority)
    try run.batch.conclude(try run.run(context, endpoint: connect), tables)
  }
}

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Write the tables of a batch that a coordinator keeps, when it is done.",
    discussion: "Example: galley fetch mgx2k1c0 --output tables --connect ipc:///run/user/1000/galley")

  @Argument(help: "The batch, as galley submit --detach and galley status name it.")
  var batch: String

  @OptionGroup var tables: TableOptions

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  func validate() throws { _ = try tables.directory() }

  func run() throws {
    Interruption.catchSignals()
    let client = try BatchClient(try Context(), endpoint: connect)
    var begun: (batch: Batch, programHash: [UInt8])?
    let read = try client.fetch(
      batch, shouldStop: { Interruption.isRequested },
      begin: { begun = (try Batch($0.variants, input: $0.input, tables), $0.programHash) },
      take: { try begun?.batch.take($0, $1) })
    guard let begun else { throw PoolError.silent }
    let manifest = try begun.batch.finish(read, programHash: begun.programHash)
    try client.complete()
    try begun.batch.conclude(manifest, tables)
  }
}

struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "End a batch of a coordinator, and forget what is done of it.",
    discussion: "Example: galley cancel mgx2k1c0 --connect ipc:///run/user/1000/galley")

  @Argument(help: "The batch, as galley submit --detach and galley status name it.")
  var batch: String

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  func run() throws { try BatchClient(try Context(), endpoint: connect).cancel(batch) }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show a coordinator's workers and batches.",
    discussion: "Example: galley status --connect ipc:///run/user/1000/galley")

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print it again every second, until interrupted.")
  var watch = false

  func run() throws {
    Interruption.catchSignals()
    let context = try Context()
    repeat {
      let status = try StatusClient(context, endpoint: connect).status()
      print(json ? try status.json : status.text)
      fflush(nil)
      if watch { sleep(1) }
    } while watch && !Interruption.isRequested
  }
}
