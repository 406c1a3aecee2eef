import Buffers
import CellsFiles
import Processes
import RowsFiles
import Synchronization

/// Rows that can be read a second time, because a coordinator may lose the batch that has them: files are opened again. What
/// came from a pipe is kept in memory up to a limit.
final class RepeatableRows: RowsSource {
  /// The largest number of bytes of rows from a pipe that are kept.
  private static let keptBytes = 64 << 20

  private let paths: [String]
  /// The files as they were opened; nil if one of them is no regular file.
  private let identities: [FileIdentity]?
  private let isInteractive: Bool
  private let reading: Reading
  private var reader: RowsReader
  /// The chunks from a pipe; nil if they are too many, or files have them.
  private var kept: [RowsChunk<OwnedBytes>]?
  private var bytes = 0
  /// The number of kept chunks that were returned again.
  private var repeated: Int

  /// Whether a read that waits for bytes is to end, which another thread asks for.
  private final class Reading: Sendable {
    let ends = Atomic<Bool>(false)

    func shouldStop() -> Bool { ends.load(ordering: .relaxed) || Interruption.isRequested }
  }

  /// - Throws: `RowsError` for a file that cannot be read or is in another format.
  init(_ paths: [String], isInteractive: Bool = false) throws(RowsError) {
    (self.paths, self.isInteractive) = (paths, isInteractive)
    let identities = Self.identities(of: paths)
    self.identities = identities.count == paths.count ? identities : nil
    kept = self.identities == nil ? [] : nil
    let reading = Reading()
    self.reading = reading
    reader = try RowsReader(paths, isInteractive: isInteractive, shouldStop: reading.shouldStop)
    repeated = 0
  }

  /// Returns the identities of those of the paths at which there are regular files.
  private static func identities(of paths: [String]) -> [FileIdentity] {
    paths.filter { $0 != "-" }.compactMap { FileIdentity(path: $0) }.filter(\.isRegularFile)
  }

  /// The files as the user named them.
  var name: String { reader.name }
  /// The number of bytes of the files as they are stored, or nil if that is not known.
  var size: Int? { reader.size }
  var contentSize: Int? { reader.contentSize }
  var bytesRead: Int { reader.bytesRead }
  var input: InputSummary { reader.input }
  var awaitedDescriptor: Int32? { repeated < kept?.count ?? 0 ? nil : reader.awaitedDescriptor }

  func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsChunk<OwnedBytes>? {
    if let kept, repeated < kept.count {
      repeated += 1
      let chunk = kept[repeated - 1]
      return chunk.moved(to: chunk.lines.withBytes(copy))
    }
    guard let chunk = try reader.next(bytes: wanted, copy: copy) else { return nil }
    if kept != nil { keep(chunk) }
    return chunk
  }

  private func keep(_ chunk: RowsChunk<OwnedBytes>) {
    bytes += chunk.lines.count
    guard bytes <= Self.keptBytes else { return kept = nil }
    // The chunk may be in shared memory, which is released when the coordinator has read it.
    kept?.append(chunk.moved(to: chunk.lines.withBytes { OwnedBytes(copying: $0) }))
    repeated += 1
  }

  /// Makes a read of another thread that waits for bytes throw an error. No bytes are lost.
  func endRead() { reading.ends.store(true, ordering: .relaxed) }

  /// Begins again with the first row. No other thread may use the rows. Returns false if the rows are no longer there, or the files
  /// have changed.
  func begin() throws(RowsError) -> Bool {
    reading.ends.store(false, ordering: .relaxed)
    guard let identities else {
      repeated = 0
      return kept != nil
    }
    guard identities == Self.identities(of: paths) else { return false }
    reader = try RowsReader(paths, isInteractive: isInteractive, shouldStop: reading.shouldStop)
    return true
  }
}
