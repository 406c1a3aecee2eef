import ArgumentParser
import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import PoolClient
import PoolClientCore
import PoolCoordinator
import PoolEnvelopes
import PoolLayouts
import PoolProtocol
import Processes
import RowsFiles
import ZeroMQ

/// Rows and a cells file on their way to tables: by a coordinator that runs somewhere, by a pool of its own, or in this
/// process.
struct BatchRun {
  let request: BatchRequest
  let rows: RowsReader
  let batch: Batch

  init(_ request: BatchRequest, rows: RowsReader, batch: Batch) {
    self.request = request
    self.rows = rows
    self.batch = batch
  }

  init(_ input: InputOptions, priority: Int32 = 0, resendsRows: Bool = false, _ tables: TableOptions) throws {
    let cells = try CellsFile(input.cells)
    request = try BatchRequest(input, cells, priority: priority, resendsRows: resendsRows)
    rows = try RowsReader(input.rows)
    batch = try Batch(
      request.variants, input: rows.name, size: rows.size, cellWarnings: cells.warnings.count, tables)
  }

  private var read: InputSummary { InputSummary(bytes: UInt64(rows.bytesRead), hash: rows.inputHash) }

  /// Runs on a coordinator's pool; answers the tables' manifest.
  func run(_ client: BatchClient) throws -> Manifest {
    do { try lay(client) } catch {
      client.cancel()
      throw error
    }
    let manifest = try finish()
    try client.complete()
    return manifest
  }

  /// Runs on a coordinator and worker processes that last as long as the batch. What is done is kept in a journal
  /// beside the tables, from which an interrupted run goes on.
  func run(workers: Int, resuming: Bool = false, log: Log) throws -> Manifest {
    let spool = try Spool(batch.path + ".journal")
    if !resuming { spool.removeBatches() }
    if try spool.keepsOther(than: request.description) { throw PoolError.otherRequest }
    do {
      let pool = try LocalPool(
        workers: workers, command: WorkerCommand.commandLine, program: (request.programHash, request.program),
        spool: spool, log: log)
      defer { pool.stop() }
      let client = try BatchClient(pool.context, endpoint: pool.endpoint)
      do { try lay(client, resuming: pool.keptBatches.first) } catch { throw pool.failure ?? error }
    } catch {
      // Something is to be gained from the journal only by those who run it again as it was.
      if !Interruption.isRequested { spool.removeAll() }
      throw error
    }
    let manifest = try finish()
    spool.removeAll()
    return manifest
  }

  private func lay(_ client: BatchClient, resuming kept: String? = nil) throws {
    try client.run(
      request, rows: rows, resuming: kept, shouldStop: { Interruption.isRequested },
      take: { try batch.take($0, $1, bytes: rows.bytesRead - client.bytesUnderWay) })
  }

  private func finish() throws -> Manifest { try batch.finish(read, programHash: request.programHash) }

  /// Runs in this process on one thread: the yardstick of the pool.
  func runInProcess() throws -> Manifest {
    let layout: JobLayout
    do throws(CellError) {
      let cells = try CellProgram(ProgramArchive(ByteString(request.program.bytes)))
      layout = try JobLayout(cells, variants: request.variants)
    } catch {
      throw RunFailure(message: error.description)
    }
    while let chunk = try rows.next(bytes: 256 << 10) {
      if Interruption.isRequested { throw PoolError.interrupted }
      let count = chunk.lines.withBytes { lines in
        layout.layout(
          JobLayout.Job(
            lines: ByteString(lines), firstLine: chunk.firstLine, firstRow: chunk.firstRow, file: chunk.file))
      }
      try batch.take(count, layout.encodedColumns(), bytes: rows.bytesRead)
    }
    return try finish()
  }
}

extension BatchRequest {
  /// Says on standard error how many warnings a cells file has.
  init(
    _ input: InputOptions, _ cells: CellsFile, priority: Int32 = 0, resendsRows: Bool = false
  ) throws {
    let variants = try input.variants.variants()
    if !cells.warnings.isEmpty {
      let count = cells.warnings.count == 1 ? "1 warning" : "\(cells.warnings.count) warnings"
      Program.write("galley: \(input.cells) has \(count); galley check \(input.cells) shows what is meant\n")
    }
    self.init(
      program: cells.archive, variants: variants, priority: priority, input: RowsReader.name(of: input.rows),
      resendsRows: resendsRows)
  }
}

extension Batch {
  /// Says what the tables hold.
  func conclude(_ manifest: Manifest, _ options: TableOptions) throws {
    if options.json {
      print(String(decoding: try manifest.encoded(), as: UTF8.self), terminator: "")
    } else if !options.log.quiet {
      print("\(output): \(manifest.summary)")
    }
    if let missing = manifest.warnings?.missingGlyphs { Program.write("galley: \(missing.message)\n") }
    if reportBadRows() { throw ExitCode(ExitStatus.badRows) }
  }
}
