import BatchLayout
import Buffers
import CellTemplates
import Foundation
import LayoutEngine
import LayoutTables
import PoolClientCore
import PoolProtocol
import Processes
import RowsFiles
import Synchronization

/// A layout of rows in this process, on several threads. It begins at once, where a pool has to start processes first.
struct ViewLayout {
  let rows: [String]
  let archive: OwnedBytes
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
      var chunks: [RowsChunk<OwnedBytes>] = []
      while chunks.count < threads.count * Self.jobsPerThread, let chunk = try reader.next(bytes: Self.jobBytes) {
        chunks.append(chunk)
      }
      if chunks.isEmpty { break }
      for result in try Self.results(of: chunks, threads) {
        try withExtendedLifetime(result) {
          try writer.append(JobTable.checked(result.columns, rows: result.count), bytes: reader.bytesRead)
        }
      }
    }
    try writer.finish(reader.input, programHash: programHash, takenRows: nil)
  }

  /// The number of rows of a job, and their columns in each variant.
  private typealias Result = (count: Int, columns: [OwnedBytes])

  /// Lays out jobs on all threads. Returns their results in the order of the jobs.
  private static func results(of chunks: [RowsChunk<OwnedBytes>], _ threads: [LayoutThread]) throws -> [Result] {
    let next = Atomic<Int>(0)
    let results = Mutex<[Int: Result]>([:])
    let failure = Mutex<CellError?>(nil)
    DispatchQueue.concurrentPerform(iterations: threads.count) { thread in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < chunks.count else { return }
        do throws(CellError) {
          let result = try threads[thread].layOut(chunks[index])
          results.withLock { $0[index] = result }
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
private final class LayoutThread: Sendable {
  private let archive: OwnedBytes
  private let variants: [Variant]
  private let layout = Mutex<JobLayout?>(nil)

  init(_ archive: OwnedBytes, _ variants: [Variant]) { (self.archive, self.variants) = (archive, variants) }

  func layOut(_ chunk: RowsChunk<OwnedBytes>) throws(CellError) -> (count: Int, columns: [OwnedBytes]) {
    try layout.withLock { (made) throws(CellError) in
      let layout = if let made { made } else { try makeLayout() }
      made = layout
      return (layout.layOut(chunk), layout.encodedColumns())
    }
  }

  private func makeLayout() throws(CellError) -> JobLayout {
    try archive.withBytes { (bytes) throws(CellError) in
      try JobLayout(CellProgram(ProgramArchive(ByteString(bytes))), variants: variants)
    }
  }
}
