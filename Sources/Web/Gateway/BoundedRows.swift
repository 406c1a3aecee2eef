import Buffers
import HTTPServing
import RowsFiles

/// The rows of a request, whose number and size are bounded after they are decompressed.
final class BoundedRows: RowsSource {
  private let reader: RowsReader
  private let limits: GatewayLimits
  private var rows: UInt64 = 0
  private var bytes = 0
  /// The problem of rows beyond a limit. The rows end there.
  private(set) var problem: Problem?

  init(_ reader: RowsReader, _ limits: GatewayLimits) { (self.reader, self.limits) = (reader, limits) }

  var contentSize: Int? { reader.contentSize }
  var bytesRead: Int { reader.bytesRead }
  var input: InputSummary { reader.input }
  var awaitedDescriptor: Int32? { reader.awaitedDescriptor }

  func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsChunk<OwnedBytes>? {
    guard problem == nil, let chunk = try reader.next(bytes: wanted, copy: copy) else { return nil }
    rows += UInt64(chunk.rows)
    bytes += chunk.lines.count
    if rows > limits.rows {
      problem = Problem(
        413, "Too many rows", "The body has more than \(limits.rows) rows; send them in several requests.")
    } else if bytes > limits.contentBytes {
      problem = Problem(
        413, "Body too large",
        "The body has more than \(limits.contentBytes) bytes after it is decompressed; send the rows in several requests."
      )
    }
    return chunk
  }
}
