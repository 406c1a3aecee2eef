import ArgumentParser
import CLinux
import CellTemplates
import Glibc
import PoolWorker
import PoolWorkerCore
import Processes
import TextMeasuring
import ZeroMQ

/// The command line of a worker program, and the function that runs the worker.
///
/// `galley worker` lays out the cell classes that cells files describe. A program with ``main(_:)`` also lays out cell
/// classes that are written in Swift. This is such a program, `Sources/quote-worker/main.swift`:
///
/// ```swift
/// import CellTemplates
/// import GalleyWorker
/// import LayoutEngine
///
/// struct QuoteCell: CellNode {
///   let quote: String
///   let author: String
///
///   func layoutSpecThatFits(_ constrainedSize: SizeRange) -> any LayoutElement {
///     let isNarrow = constrainedSize.max.width < 300
///     return InsetLayoutSpec(insets: EdgeInsets(12)) {
///       StackLayoutSpec(.vertical, spacing: 4) {
///         TextNode("quote", quote, font: isNarrow ? "small" : "body")
///         TextNode("author", author, font: "small")
///           .styled { $0.alignSelf = .end }
///       }
///     }
///   }
/// }
///
/// var cells = CellRegistry()
/// cells.register("QuoteCell") { row in
///   guard let quote = row["quote"].string else {
///     throw CellError("the quote is missing")
///   }
///   return QuoteCell(quote: quote, author: row["author"].string ?? "")
/// }
/// WorkerOptions.main(cells)
/// ```
///
/// Start it with the endpoint of a coordinator:
///
///     quote-worker --connect ipc:///run/user/1000/galley
///
/// The program lays out rows such as `{"cell": "QuoteCell", "quote": "…"}`. The names of fonts, here `body` and
/// `small`, are those of the cells file that is submitted with the rows. An error that a registered function throws is
/// the error of its row, and does not affect other rows. All workers of a pool must have the same cell classes, because
/// any worker can receive any job.
public struct WorkerOptions: ParsableArguments {
  /// The endpoint of the coordinator, such as `ipc:///run/user/1000/galley` or `tcp://10.0.0.5:5555`.
  @Option(help: "The endpoint of the coordinator.")
  public var connect: String

  /// The keys for a coordinator that accepts only known keys.
  @OptionGroup public var keys: ClientKeyOptions

  /// The option to wait for a coordinator that is started later.
  @OptionGroup public var wait: WaitOption

  /// The size of the cache of measured texts, in MiB, from 1 to 65,536.
  @Option(help: "The size of the cache of measured texts, in MiB.")
  public var textCache = TextMeasurer.defaultCacheBudget >> 20

  /// The resident memory of the process, in MiB from 64 to 1,048,576, above which the worker ends after its current
  /// job.
  ///
  /// The worker then logs a warning and exits with code 0. A coordinator starts another one in the place of its own; for others, a
  /// supervisor such as systemd has to do so.
  @Option(help: "The resident memory, in MiB, above which the worker ends after a job so that it can be restarted.")
  public var memoryLimit = 1024

  /// The process that started this worker. The worker ends when that process ends. Nil for a worker that runs on its
  /// own.
  @Option(help: .hidden)
  public var parent: Int32?

  /// The options for log lines on standard error.
  @OptionGroup public var log: LogOptions

  /// Creates options with default values, for ArgumentParser, which sets ``connect``.
  public init() {}

  /// Checks ``connect``, and the ranges of ``textCache`` and ``memoryLimit``.
  ///
  /// - Throws: `ValidationError` if one is invalid.
  public func validate() throws {
    try WaitOption.check(endpoint: connect)
    guard (1...65_536).contains(textCache) else { throw ValidationError("--text-cache is from 1 to 65536 MiB") }
    guard (64...1_048_576).contains(memoryLimit) else {
      throw ValidationError("--memory-limit is from 64 to 1048576 MiB")
    }
  }

  /// Connects to the coordinator and lays out jobs until the worker is shut down.
  ///
  /// Returns after SIGINT or SIGTERM, after the coordinator ended the worker, when the process uses more than
  /// ``memoryLimit``, and when the process ``parent`` has ended.
  ///
  /// - Parameter cells: The cell classes that are available in addition to those of the cells files. A registered class
  ///   replaces a class of a cells file that has the same name.
  /// - Throws: ``WorkerFailure`` if the coordinator refuses the worker, or if no message from it arrives for 30
  ///   seconds and ``wait`` and ``parent`` are not set; `KeyError` if the keys cannot be read; `ZeroMQError` if nothing
  ///   listens at the endpoint, unless ``wait`` or ``parent`` is set.
  public func run(_ cells: CellRegistry = CellRegistry()) throws {
    Interruption.catchSignals()
    if parent != nil {
      // The parent handles Ctrl-C, and the kernel signals this process when the parent ends. The parent may have ended
      // before that was requested, therefore its identifier is compared too.
      signal(SIGINT, SIG_IGN)
      _ = galley_die_with_parent()
    }
    let isOrphan = { parent != nil && getppid() != parent }
    let log = log.log("galley worker")
    if textCache >= memoryLimit {
      log.warning(
        "--text-cache \(textCache) is not below --memory-limit \(memoryLimit): the worker ends before the cache is full"
      )
    }
    if parent == nil { try wait.waitForCoordinator(at: connect) { log.warning($0) } }
    let worker = try Worker(
      try Context(), endpoint: connect, keys: try keys.clientKeys(), cells: cells, cacheBudget: textCache << 20,
      memoryLimit: memoryLimit << 20, session: parent == nil ? nil : Self.session, waits: wait.wait || parent != nil,
      log: log)
    switch try worker.run(shouldStop: { Interruption.isRequested || isOrphan() }) {
    case .drained where Interruption.isRequested: log.info("the worker ends: signal \(Interruption.exitCode - 128)")
    case .drained where isOrphan(): log.info("the worker ends: its parent process has ended")
    case .drained: log.info("the worker ends: the coordinator has ended it")
    case .grown where parent != nil: log.info("the worker ends at its memory limit; its coordinator starts another one")
    case .grown:
      log.warning(
        "the worker ends, because it has more than \(memoryLimit) MiB of memory (--memory-limit): raise the limit, or have a "
          + "supervisor such as systemd start another worker")
    case .refused(let reason): throw WorkerFailure(description: reason)
    case .coordinatorGone: throw WorkerFailure(description: "no coordinator replies at \(connect)")
    }
  }

  /// The session with which a worker registers that its coordinator has started. Only processes of the same user can read
  /// it, unlike arguments.
  private static var session: UInt64? { getenv(Worker.sessionVariable).flatMap { UInt64(String(cString: $0)) } }

  /// Parses the arguments of the program and runs the worker.
  ///
  /// If the arguments are invalid, the function prints a message and exits with code 64. If ``run(_:)`` fails, it logs
  /// the error and exits with code 1. It returns when the worker was shut down, so that the program exits with code 0.
  ///
  /// - Parameter cells: The cell classes that are available in addition to those of the cells files.
  public static func main(_ cells: CellRegistry) {
    StandardStream.replaceClosed()
    let options = parseOrExit()
    do { try options.run(cells) } catch {
      options.log.log("galley worker").error("\(error)")
      Glibc.exit(1)
    }
  }
}

/// An error that ended a worker which was not shut down.
public struct WorkerFailure: Error, CustomStringConvertible {
  /// The reason, as a phrase without a full stop.
  public let description: String
}
