import BatchLayout
import Buffers
import CellTemplates
import HTTPServing
import LayoutEngine
import LayoutTables
import PoolProtocol

/// The writer of the results of a batch to a response.
final class ResultsWriter {
  private enum Results {
    case stream(BatchStream)
    case objects(BatchObjects)
  }

  /// The field with the number of rows, which is a trailer where the head is sent before the results are complete.
  static let rowsField = "galley-rows"

  private let results: Results
  private let sink: ([UnsafeRawBufferPointer]) throws -> Void
  private let hasEnd: Bool
  private var rows: UInt64 = 0
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
    let variants = query.variants.map { BatchStream.Variant(name: $0.name, scale: $0.scale) }
    let types = ElementType.names
    if query.form == .arrow {
      results = .stream(
        try BatchStream(
          variants, types: types, hasFrames: query.hasFrames, hasLines: query.hasLines, version: Version.current,
          to: sink))
    } else {
      results = .objects(
        BatchObjects(
          variants, types: types, hasFrames: query.hasFrames, hasLines: query.hasLines,
          form: query.form == .lines ? .lines : .array, to: sink))
    }
  }

  /// Writes the results of the next rows, one part of columns per variant.
  func take(_ count: Int, _ columns: [OwnedBytes]) throws {
    let variants = try JobTable.checked(columns, rows: count)
    switch results {
    case .stream(let stream): try stream.take(variants)
    case .objects(let objects): try objects.take(variants)
    }
    rows += UInt64(count)
  }

  /// Sends what was written so far.
  func flush() throws {
    try gzip?.flush()
    try response.flush()
  }

  /// Completes the response.
  func finish() throws {
    switch results {
    case .stream(let stream): try stream.finish()
    case .objects(let objects): try objects.finish()
    }
    if hasEnd { try Array("{\"rows\":\(rows)}\n".utf8).withUnsafeBytes { try sink([$0]) } }
    try gzip?.finish()
    response.finish(trailers: [(Self.rowsField, "\(rows)")])
  }
}
