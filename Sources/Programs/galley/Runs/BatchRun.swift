import ArgumentParser
import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import Glibc
import IncrementalRuns
import LayoutEngine
import LayoutTables
import PoolClient
import PoolClientCore
import PoolCoordinator
import PoolScheduler
import Processes
import RowsFiles

/// A run that lays out rows and writes their tables, with a coordinator, with worker processes of its own, or in this
/// process.
struct BatchRun {
  let request: BatchRequest
  let rows: any RowsSource
  let output: any RunOutput
  /// The tables of the earlier run from which rows are taken, and that run; nil if all rows are laid out.
  private let earlierTables: BaseTables?
  private let base: BaseRun?

  init(_ request: BatchRequest, rows: any RowsSource, output: any RunOutput, base earlierTables: BaseTables? = nil) {
    self.request = request
    self.rows = rows
    self.output = output
    self.earlierTables = earlierTables
    base = earlierTables.map {
      BaseRun($0, rows: rows) { try output.append($0, bytes: $1) }
    }
  }

  init(
    _ input: InputOptions, _ variants: [Variant], base earlier: BaseOption, priority: Int32 = 0,
    resendsRows: Bool = false, _ tables: TableOptions
  ) throws {
    let cells = try KnownProgram(input.cells, cache: .ofUser)
    var request = try BatchRequest(input, variants, cells, priority: priority, resendsRows: resendsRows)
    // A reader waits for the schema of a stream before it sends rows.
    let stream = tables.isStream ? try StreamWriter(request.variants, input: request.input, tables) : nil
    let rows = try RepeatableRows(input.rows, isInteractive: tables.isStream)
    let earlierTables = try earlier.tables(for: request, tables)
    request.isPartial = earlierTables != nil
    let output: any RunOutput =
      try stream
      ?? TableWriter(request.variants, input: rows.name, size: rows.size, cellWarnings: cells.warnings, tables)
    self.init(request, rows: rows, output: output, base: earlierTables)
  }

  /// Lays out the rows with a running coordinator.
  ///
  /// A batch that the coordinator has lost is sent a second time if its rows are still there. On a stream, rows that were
  /// written are not written again.
  func run(_ client: BatchClient) throws {
    try client.leavingBatch { try runToEnd(client) }
  }

  private func runToEnd(_ client: BatchClient) throws {
    do { try layOut(client) } catch let error as PoolError where error.isLossOfBatch {
      guard let rows = rows as? RepeatableRows else { throw error }
      rows.endRead()
      base?.stop()
      guard try rows.begin() else { throw error }
      Messages.warning("\(Program.reason(ofLoss: error)); the batch is sent again")
      try output.begin()
      let again = BatchRun(request, rows: rows, output: output, base: earlierTables)
      try again.layOut(client)
      return try again.complete(client)
    }
    try complete(client)
  }

  private func complete(_ client: BatchClient) throws {
    try finish()
    try client.complete()
  }

  /// Lays out the rows with a coordinator and worker processes that are started for this run.
  ///
  /// Results are also written to a journal beside the tables, from which an interrupted run can be resumed.
  func run(_ workers: LocalWorkers, count: Int, resuming: Bool = false, log: Log) throws {
    // An error in reading the program leaves a journal that can be resumed.
    let program = (request.programHash, try request.programParts())
    let spool = try output.journalPath.map { try Spool($0) }
    if spool?.isOfCoordinator == true {
      throw RunFailure(
        message: "\(output.journalPath ?? ""): is the spool of a coordinator; move it away, or choose another output")
    }
    if !resuming { spool?.removeBatches() }
    if try spool?.keepsOther(than: request.description) == true { throw PoolError.otherRequest }
    let finish: Result<Void, any Error>
    do {
      let pool = try LocalPool(
        workers, count: min(count, mostUsefulWorkers), program: program, sharesFiles: takesAMoment, spool: spool,
        log: log)
      defer { pool.stop() }
      let client = try BatchClient(pool.context, endpoint: pool.endpoint)
      do { try layOut(client, resuming: pool.keptBatches.first) } catch {
        if spool == nil {
          // A batch that nobody can resume is cancelled, so that the coordinator does not report it as failed.
          client.cancel()
          pool.stop(drains: true)
        }
        throw pool.failure ?? error
      }
      // The workers end while the tables are completed.
      pool.requestStop()
      finish = Result { try self.finish() }
    } catch {
      // Only an interrupted run can be resumed; after an error the same rows would fail again.
      if !Interruption.isRequested { spool?.removeAll() }
      throw error
    }
    try finish.get()
    spool?.removeAll()
  }

  /// About the number of jobs into which the rows can be cut: a worker more would have nothing to do.
  private var mostUsefulWorkers: Int {
    guard let size = (base ?? rows).contentSize else { return .max }
    return max(1, (size + Scheduler.minJobBytes - 1) / Scheduler.minJobBytes)
  }

  private func layOut(_ client: BatchClient, resuming kept: String? = nil) throws {
    do {
      try client.run(
        request, rows: base ?? rows, resuming: kept,
        shouldStop: { Interruption.isRequested || output.hasLostReader },
        take: { try take(JobTable.checked($1, rows: $0), bytesUnderWay: client.bytesUnderWay) })
    } catch PoolError.interrupted where !Interruption.isRequested {
      throw ExitCode(ExitStatus.outputClosed)
    }
  }

  /// Writes the results of the next rows that were laid out, in each variant.
  private func take(_ variants: [JobTable], bytesUnderWay: Int = 0) throws {
    if let base { return try base.take(variants) }
    try output.append(variants, bytes: rows.bytesRead - bytesUnderWay)
  }

  private func finish() throws {
    try base?.finish()
    try output.finish(rows.input, programHash: request.programHash, takenRows: base?.takenRows)
  }

  /// The number of bytes of rows that are laid out at a time in this process.
  private static let chunkBytes = 256 << 10

  /// The largest number of bytes of rows that are laid out within a moment.
  private static let momentBytes = 256 << 10

  /// Whether fonts need no copy. In a longer time another program may write them.
  private var takesAMoment: Bool { (base ?? rows).contentSize.map { $0 <= Self.momentBytes } ?? false }

  /// Lays out the rows in this process on one thread, to compare the pool with.
  func runInProcess() throws {
    let source: any RowsSource = base ?? rows
    var program = try request.programParts()
    if !takesAMoment { program = [OwnedBytes(joining: program)] }
    defer { withExtendedLifetime(program) {} }
    let layout: JobLayout
    do throws(CellError) {
      let cells = try CellProgram(ProgramArchive(program))
      layout = try JobLayout(cells, variants: request.variants)
    } catch {
      throw RunFailure(message: error.description)
    }
    while let chunk = try nextChunk(of: source) {
      if Interruption.isRequested { throw PoolError.interrupted }
      _ = layout.layOut(chunk)
      try layout.withTables { try take($0) }
    }
    try finish()
  }

  private func nextChunk(of source: any RowsSource) throws -> RowsChunk<OwnedBytes>? {
    while let descriptor = source.awaitedDescriptor, !Interruption.isRequested {
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // The timeout lets an interruption end the wait.
      if poll(&input, 1, 100) > 0 { break }
      if output.hasLostReader { throw ExitCode(ExitStatus.outputClosed) }
    }
    return try source.next(bytes: Self.chunkBytes, copy: { OwnedBytes(copying: $0) })
  }
}

extension BatchRequest {
  /// Creates the request of a run. Writes the number of warnings of the cells file to standard error.
  init(
    _ input: InputOptions, _ variants: [Variant], _ cells: KnownProgram, priority: Int32 = 0, resendsRows: Bool = false
  ) throws {
    if cells.warnings > 0 {
      let count = cells.warnings == 1 ? "1 warning" : "\(cells.warnings) warnings"
      Messages.warning("\(input.cells) has \(count); galley check \(input.cells) lists them")
    }
    self.init(
      programHash: cells.hash, read: cells.parts, variants: variants, priority: priority,
      input: RowsReader.name(of: input.rows), resendsRows: resendsRows)
  }
}
