import ArgumentParser
import Foundation
import GalleyWorker
import Glibc
import LayoutPool
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
    var door: Door?
    if let keys {
      Reload.catchSignal()
      door = try Door(KeyDirectory(keys), log: log)
    }
    // Its own workers need neither a key nor a port.
    let directory = workers > 0 ? try PrivateDirectory() : nil
    let fleet = directory.map {
      WorkerFleet(command: WorkerCommand.commandLine + ["--connect", $0.endpoint], count: workers, log: log)
    }
    let coordinator = try Coordinator(
      try Context(), endpoints: listen + (directory.map { [$0.endpoint] } ?? []), door: door, fleet: fleet,
      jobDeadline: jobDeadline, log: log)
    log.info("listening at \(coordinator.endpoints.joined(separator: ", "))")
    for exposure in listen.compactMap({ Endpoint($0)?.exposure }) { log.warning(exposure) }
    try withExtendedLifetime(directory) { try coordinator.run(drains: true) { Interruption.isRequested } }
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

  @OptionGroup var batch: BatchOptions

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  @OptionGroup var keys: ClientKeyOptions

  func run() throws {
    Interruption.catchSignals()
    let clientKeys = try keys.clientKeys()
    let run = try Batch(batch)
    try run.run(try Context(), endpoint: connect, keys: clientKeys)
    try LayoutCommand.conclude(run, batch)
  }
}

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show a coordinator's workers and batches.",
    discussion: "Example: galley status --connect ipc:///run/user/1000/galley")

  @Option(help: "The coordinator's endpoint.")
  var connect: String

  @OptionGroup var keys: ClientKeyOptions

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print it again every second, until interrupted.")
  var watch = false

  func run() throws {
    Interruption.catchSignals()
    let context = try Context()
    let clientKeys = try keys.clientKeys()
    repeat {
      let status = try StatusClient(context, endpoint: connect, keys: clientKeys).status()
      print(json ? try status.json : status.text)
      fflush(nil)
      if watch { sleep(1) }
    } while watch && !Interruption.isRequested
  }
}
