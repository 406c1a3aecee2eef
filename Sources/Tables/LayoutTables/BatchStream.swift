import Buffers
import TableFormats

/// The writer of the results of a run as one Arrow IPC stream. It receives results in row order, and writes them at once:
/// for each run of rows one record batch a variant, in the order of the variants.
public final class BatchStream {
  /// A variant of the stream, and the totals of its rows so far.
  public struct Variant: Sendable {
    public let name: String
    /// The number of device pixels in a point.
    public let scale: Double
    public private(set) var badRows: UInt64 = 0
    public private(set) var frames: UInt64 = 0

    public init(name: String, scale: Double) {
      self.name = name
      self.scale = scale
    }

    fileprivate mutating func count(_ rows: JobPart) {
      badRows += UInt64(rows[.rows].count { rows.job.columns.errorLength[$0] > 0 })
      frames += UInt64(rows[.frames].count)
    }
  }

  /// An object around a batch: an array cannot hold values that cannot be copied.
  private final class BatchBox {
    let batch: StreamBatch

    init(_ batch: consuming StreamBatch) { self.batch = batch }
  }

  /// The largest number of rows, and of frames of several rows, in one record batch. All variants of a run of rows are cut
  /// at the same rows.
  static let maxRows = 65_536
  static let maxFrames = 262_144

  public private(set) var variants: [Variant]
  public private(set) var rows: UInt64 = 0
  public private(set) var notes = BatchNotes()
  private let writer: ArrowStreamWriter
  private let batches: [BatchBox]

  /// Writes the schema.
  ///
  /// - Parameters:
  ///   - types: The names of the frame types by their codes.
  ///   - hasFrames: Whether the stream has the column `frames`.
  ///   - hasLines: Whether the stream has the columns `lines` and `texts`.
  ///   - version: The version of the program, which the schema's metadata state as `galley.version`.
  ///   - sink: A function that writes buffers one after the other, and throws if it cannot.
  public init(
    _ variants: [Variant], types: [String], hasFrames: Bool, hasLines: Bool = false, version: String,
    to sink: @escaping ([UnsafeRawBufferPointer]) throws -> Void
  ) throws {
    self.variants = variants
    batches = variants.map {
      BatchBox(
        StreamBatch(variant: $0.name, types: types, scale: $0.scale, hasFrames: hasFrames, hasLines: hasLines))
    }
    let columns = columnFormats { StreamColumns(hasFrames: hasFrames, hasLines: hasLines, $0) }
    let schema = ArrowSchema(columns.map(\.field), metadata: [ArrowMetadataEntry("galley.version", version)])
    writer = try ArrowStreamWriter(schema, to: sink)
  }

  /// Writes the next rows, given as the columns of each variant.
  ///
  /// - Parameter first: The index of the first row in the columns that is written.
  /// - Throws: `OutputError` for a row that no record batch can hold, and what the sink throws.
  public func take(_ tables: [JobTable], from first: Int = 0) throws {
    let count = tables.rowCount
    // The number of the columns' first row.
    let start = rows - UInt64(first)
    for (index, table) in tables.enumerated() {
      notes.note(table, firstRow: start, from: first, isFirstVariant: index == 0)
    }
    var parts = tables.map { JobPart(after: JobPart(beginningOf: $0), rows: first) }
    for (index, part) in parts.enumerated() { variants[index].count(JobPart(after: part, rows: count - first)) }
    let frameLimits = tables.map { min(Self.maxFrames, Int(Int32.max) / max($0.longestName, 1)) }
    var done = first
    while done < count {
      var next = zip(parts, frameLimits).map { $0.rowsThatFollow(frames: $1, rows: Self.maxRows) }.min() ?? 0
      var following = parts.map { JobPart(after: $0, rows: next) }
      while following.contains(where: { $0.stringBytes > Int32.max }) {
        guard next > 1 else {
          throw OutputError(
            path: "standard output",
            reason: "row \(start + UInt64(done)) has more bytes of names and URLs than a record batch can hold")
        }
        next /= 2
        following = parts.map { JobPart(after: $0, rows: next) }
      }
      for (index, part) in following.enumerated() {
        try batches[index].batch.with(part, firstRow: start) { try writer.write(rows: next, $0) }
      }
      parts = following
      done += next
    }
    rows += UInt64(count - first)
  }

  /// Writes the mark by which a reader recognizes that the stream is whole.
  public func finish() throws { try writer.finish() }
}

extension JobTable {
  /// The number of bytes of the longest name.
  fileprivate var longestName: Int {
    (0..<nameCount).reduce(0) { max($0, Int(columns.nameLength[$1])) }
  }
}

extension JobPart {
  /// The largest number of bytes that one column of strings can have. A record batch refers to them by 32-bit numbers.
  fileprivate var stringBytes: Int {
    let names = [.frames, .rows, .resources, .lines, .textRuns, .textSpans].map { self[$0].count }.max() ?? 0
    let bound = names * job.longestName
    // The names are only added up where one of them is so long that they may have too many bytes.
    return max(bound > Int32.max ? nameBytes : bound, self[.resourceURLBytes].count, self[.textBytes].count)
  }

  /// The number of bytes of the column of names that has the most.
  private var nameBytes: Int {
    let columns = job.columns
    func sum(_ count: JobCount, _ name: (Int) -> UInt32) -> Int {
      self[count].reduce(0) { $0 + Int(columns.nameLength[Int(name($1))]) }
    }
    return max(
      sum(.rows) { columns.cell[$0] }, sum(.frames) { columns.node[$0] },
      sum(.resources) { columns.node[Int(columns.resourceFrame[$0])] },
      sum(.lines) { columns.node[Int(columns.lineFrame[$0])] }, sum(.textRuns) { columns.runFont[$0] },
      sum(.textSpans) { columns.spanURL[$0] }, sum(.textSpans) { columns.spanKind[$0] })
  }
}
