import BatchLayout
import Buffers
import CellTemplates
import Foundation
import LayoutEngine
import PoolClientCore
import PoolProtocol
import Processes
import RowsFiles
import Synchronization

/// A layout of rows in this process, on several threads. It begins at once, where a pool has to start processes first.
struct ViewLayout {
  let rows: [String]
  let archive: ByteBlock
  let programHash: [UInt8]
  let variants: [Variant]

  /// The bytes of the rows of one job.
  private static let jobBytes = 64 << 10
  /// The number of jobs that are laid out together for each thread.
  private static let jobsPerThread = 4
  private static let maxThreads = 8

  /// Lays out the rows and writes their tables.
  ///
  /// - Parameter output: The directory for the tables, which must not exist.
  func write(to output: String) throws {
    let reader = try RowsReader(rows)
    let writer = try TableWriter(
      variants, input: reader.name, output: output, replacing: false, strict: false, quiet: true)
    let threads = (0..<min(ProcessInfo.processInfo.activeProcessorCount, Self.maxThreads)).map { _ in
      LayoutThread(archive, variants)
    }
    while true {
      if Interruption.isRequested { throw PoolError.interrupted }
      var chunks: [RowsReader.Chunk] = []
      while chunks.count < threads.count * Self.jobsPerThread, let chunk = try reader.next(bytes: Self.jobBytes) {
        chunks.append(chunk)
      }
      if chunks.isEmpty { break }
      for result in try Self.results(of: chunks, threads) {
        try writer.append(result.count, result.columns, bytes: reader.bytesRead)
      }
    }
    try writer.finish(
      InputSummary(bytes: UInt64(reader.bytesRead), hash: reader.inputHash), programHash: programHash, takenRows: nil)
  }

  /// The columns of a job in each variant.
  private struct Result {
    let count: Int
    let columns: [OwnedBytes]
  }

  /// Lays out jobs on all threads. Returns their results in the order of the jobs.
  private static func results(of chunks: [RowsReader.Chunk], _ threads: [LayoutThread]) throws -> [Result] {
    let next = Atomic<Int>(0)
    let results = Mutex<[Int: Result]>([:])
    let failure = Mutex<CellError?>(nil)
    DispatchQueue.concurrentPerform(iterations: threads.count) { thread in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < chunks.count else { return }
        do throws(CellError) {
          let (count, columns) = try threads[thread].layOut(chunks[index])
          results.withLock { $0[index] = Result(count: count, columns: columns) }
        } catch {
          failure.withLock { $0 = error }
          return
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw RunFailure(message: error.description) }
    return results.withLock { results in chunks.indices.compactMap { results[$0] } }
  }
}

/// The layout of one thread, which is made on that thread.
///
/// It is used by one thread at a time.
private final class LayoutThread: @unchecked Sendable {
  private let archive: ByteBlock
  private let variants: [Variant]
  private var layout: JobLayout?

  init(_ archive: ByteBlock, _ variants: [Variant]) { (self.archive, self.variants) = (archive, variants) }

  func layOut(_ chunk: RowsReader.Chunk) throws(CellError) -> (count: Int, columns: [OwnedBytes]) {
    let layout: JobLayout
    if let made = self.layout { layout = made } else { layout = try makeLayout() }
    self.layout = layout
    let count = chunk.lines.withBytes { lines in
      layout.layout(
        JobLayout.Job(
          lines: ByteString(lines), firstLine: chunk.firstLine, firstRow: chunk.firstRow, file: chunk.file))
    }
    return (count, layout.encodedColumns())
  }

  private func makeLayout() throws(CellError) -> JobLayout {
    try archive.withBytes { (bytes) throws(CellError) in
      try JobLayout(CellProgram(ProgramArchive(bytes)), variants: variants)
    }
  }
}
