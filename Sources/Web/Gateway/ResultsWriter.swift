import BatchLayout
import Buffers
import CellTemplates
import HTTPServing
import LayoutEngine
import LayoutTables
import PoolProtocol

/// The writer of the results of a batch to a response.
final class ResultsWriter {
  /// The field with the number of rows, which is a trailer where the head is sent before the results are complete.
  static let rowsField = "galley-rows"

  private let stream: BatchStream
  private let sink: ([UnsafeRawBufferPointer]) throws -> Void
  private let hasEnd: Bool
  private let response: ResponseStream
  private let gzip: GzipEncoder?

  /// Sets the head of the response and writes the beginning of the results. Nothing is sent before the first results.
  init(_ query: LayoutsQuery, to response: ResponseStream) throws {
    self.response = response
    var headers = [
      ("content-type", query.form.rawValue), ("cache-control", "no-store"), ("vary", "accept, accept-encoding"),
    ]
    if query.isCompressed { headers.append(("content-encoding", "gzip")) }
    response.setHead(headers: headers, trailers: [Self.rowsField])
    let gzip = query.isCompressed ? GzipEncoder { try response.write($0) } : nil
    self.gzip = gzip
    let sink: ([UnsafeRawBufferPointer]) throws -> Void = { buffers in
      guard let gzip else { return try response.write(buffers) }
      for buffer in buffers { try gzip.write(buffer) }
    }
    self.sink = sink
    hasEnd = query.hasEnd && query.form == .lines
    stream = try BatchStream(
      query.variants.map { BatchStream.Variant(name: $0.name, scale: $0.scale) }, types: ElementType.names,
      hasFrames: query.hasFrames, hasLines: query.hasLines, form: query.form, version: Version.current, to: sink)
  }

  /// Writes the results of the next rows, one part of columns per variant.
  func take(_ count: Int, _ columns: [OwnedBytes]) throws {
    try stream.take(JobTable.checked(columns, rows: count))
  }

  /// Sends what was written so far.
  func flush() throws {
    try gzip?.flush()
    try response.flush()
  }

  /// Completes the response.
  func finish() throws {
    try stream.finish()
    if hasEnd { try Array("{\"rows\":\(stream.rows)}\n".utf8).withUnsafeBytes { try sink([$0]) } }
    try gzip?.finish()
    response.finish(trailers: [(Self.rowsField, "\(stream.rows)")])
  }
}
