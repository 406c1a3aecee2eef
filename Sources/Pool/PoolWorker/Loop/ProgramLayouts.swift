import BatchLayout
import Buffers
import CellTemplates
import Glibc
import PoolProtocol
import PoolWorkerCore
import Processes

/// The programs of a worker, with the layouts of their cells.
final class ProgramLayouts {
  private let cells: CellRegistry
  private let cacheBudget: Int
  /// The bytes of each program, from which it reads its fonts, and what lays out its cells from the first job on.
  private var programs: [ProgramID: (parts: [OwnedBytes], layout: JobLayout?)] = [:]
  /// The text segments that were looked up for all jobs, and those that were in the caches.
  private var cacheUse = (lookups: 0, hits: 0)

  /// - Parameters:
  ///   - cells: Cell classes beside those of the programs.
  ///   - cacheBudget: The bytes for measured texts.
  init(cells: CellRegistry, cacheBudget: Int) { (self.cells, self.cacheBudget) = (cells, cacheBudget) }

  func load(_ id: ProgramID, _ parts: [OwnedBytes]) { programs[id] = (parts, nil) }
  func unload(_ id: ProgramID) { programs.removeValue(forKey: id) }

  /// Lays out a job.
  ///
  /// - Returns: The event of the results, whose columns are valid until the next job, or of a program that cannot be used.
  func layOut(_ job: MessageToWorker.Job, _ lines: OwnedBytes) -> WorkerEvent {
    let layout: JobLayout
    do throws(CellError) { layout = try self.layout(of: job.setup) } catch {
      return .programFailed(reason: error.description)
    }
    // SIGALRM ends the process at the deadline, so that no row can block a worker for ever.
    alarm(job.deadline)
    defer { alarm(0) }
    let (begin, before) = (Clock.monotonic(), layout.cacheUse)
    let rows = lines.withBytes { lines in
      layout.layout(
        ByteString(lines), firstLine: job.chunk.firstLine, firstRow: job.chunk.firstRow, file: job.chunk.file,
        columnLimit: ProtocolLimits.columnBytes)
    }
    let duration = Clock.monotonic() - begin
    cacheUse.lookups += layout.cacheUse.lookups - before.lookups
    cacheUse.hits += layout.cacheUse.hits - before.hits
    // Without rows, the columns are larger than the limit.
    let result = WorkerMessage.Result(
      job: job.reference, rows: UInt32(truncatingIfNeeded: rows ?? 0), duration: duration,
      cacheHitRate: cacheUse.lookups == 0 ? 1 : Double(cacheUse.hits) / Double(cacheUse.lookups))
    return .laidOut(
      result, sizes: layout.variants.indices.map { layout.withColumns(of: $0) { $0.encodedSize } },
      write: { variant, start in layout.withColumns(of: variant) { $0.write(to: start) } })
  }

  /// Returns what lays out the variants of a batch.
  private func layout(of setup: JobSetup) throws(CellError) -> JobLayout {
    guard let loaded = programs[setup.program] else { throw CellError("it is not loaded") }
    if let layout = loaded.layout {
      layout.change(to: setup.variants)
      return layout
    }
    let program = try CellProgram(ProgramArchive(loaded.parts))
    let layout = try JobLayout(program, cells: cells, variants: setup.variants, cacheBudget: cacheBudget)
    programs[setup.program]?.layout = layout
    return layout
  }
}
