import ArgumentParser
import CLinux
import CellTemplates
import Glibc
import PoolSecurity
import PoolWorker
import PoolWorkerCore
import Processes
import TextMeasuring
import ZeroMQ

/// The arguments of a worker program, and what it does with them.
///
/// A worker with cell classes of its own is three lines:
///
///     var cells = CellRegistry()
///     cells.register("PhotoCell") { row in PhotoCell(row["caption"].string ?? "") }
///     WorkerOptions.main(cells)
public struct WorkerOptions: ParsableArguments {
  @Option(help: "The coordinator's endpoint.")
  public var connect: String

  @OptionGroup public var keys: ClientKeyOptions

  @Option(help: "MiB for the cache of measured texts.")
  public var textCache = TextMeasurer.defaultCacheBudget >> 20

  @Option(help: "MiB of memory above which the worker ends after a job, for another to take its place.")
  public var memoryLimit = 1024

  /// Process that started this worker and without which it ends.
  @Option(help: .hidden)
  public var parent: Int32?

  @OptionGroup public var log: LogOptions

  public init() {}

  public func validate() throws {
    guard (1...65_536).contains(textCache) else { throw ValidationError("--text-cache is from 1 to 65536 MiB") }
    guard (64...1_048_576).contains(memoryLimit) else {
      throw ValidationError("--memory-limit is from 64 to 1048576 MiB")
    }
  }

  /// Works until it is told to stop or the coordinator is gone.
  ///
  /// - Parameter cells: cell classes beside those of the batches' cells files.
  /// - Throws: `WorkerFailure` when the coordinator refuses it or is not there, `KeyError`, `ZeroMQError`.
  public func run(_ cells: CellRegistry = CellRegistry()) throws {
    Interruption.catchSignals()
    if parent != nil {
      // Ctrl-C is the parent's to handle. When the parent ends, so does the worker; it may have ended already.
      signal(SIGINT, SIG_IGN)
      _ = galley_die_with_parent()
    }
    let isOrphan = { parent != nil && getppid() != parent }
    let worker = try Worker(
      try Context(), endpoint: connect, keys: try keys.clientKeys(), cells: cells, cacheBudget: textCache << 20,
      memoryLimit: memoryLimit << 20, log: log.log("galley worker"))
    switch try worker.run(shouldStop: { Interruption.isRequested || isOrphan() }) {
    case .drained, .grown: break
    case .refused(let reason): throw WorkerFailure(description: reason)
    case .coordinatorGone: throw WorkerFailure(description: "no coordinator answers at \(connect)")
    }
  }

  /// Reads the program's arguments and runs; ends the program if that fails.
  public static func main(_ cells: CellRegistry) {
    let options = parseOrExit()
    do { try options.run(cells) } catch {
      options.log.log("galley worker").error("\(error)")
      Glibc.exit(1)
    }
  }
}

/// Why a worker ended that was not told to.
public struct WorkerFailure: Error, CustomStringConvertible {
  public let description: String
}

public struct LogOptions: ParsableArguments {
  @Flag(help: "Print nothing but errors.")
  public var quiet = false

  @Option(help: "What to say on standard error: debug, info, warning or error.")
  public var logLevel = Log.Level.warning

  public init() {}

  public func log(_ name: String = "galley") -> Log { Log(quiet ? .error : logLevel, name: name) }
}

extension Log.Level: ExpressibleByArgument {}
