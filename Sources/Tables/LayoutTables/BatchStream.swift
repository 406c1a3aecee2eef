import Buffers
import TableFormats

/// The writer of the results of a run to a stream. It receives results in row order, and writes them at once.
public final class BatchStream {
  /// The form of the results. The raw value is its media type.
  public enum Form: String, CaseIterable, Sendable {
    /// An Arrow IPC stream. Each run of rows has one record batch a variant, in the order of the variants.
    case arrow = "application/vnd.apache.arrow.stream"
    /// One JSON object a line for each row and variant: the columns of the Arrow stream by their names.
    case lines = "application/x-ndjson"
    /// The same objects in one array.
    case array = "application/json"
  }

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

  /// The largest number of rows, and of frames of several rows, in one record batch. All variants of a run of rows are cut
  /// at the same rows.
  static let maxRows = 65_536
  static let maxFrames = 262_144

  public private(set) var variants: [Variant]
  public private(set) var rows: UInt64 = 0
  public private(set) var notes = BatchNotes()
  private let form: Form
  /// The writer of an Arrow stream; nil for the other forms.
  private let writer: ArrowStreamWriter?
  private let batches: [StreamBatch]
  private let sink: ArrowStreamWriter.Sink
  private var text = JSONText(capacity: 16 << 10)

  /// Writes the schema of an Arrow stream.
  ///
  /// - Parameters:
  ///   - types: The names of the frame types by their codes.
  ///   - hasFrames: Whether the stream has the column `frames`.
  ///   - hasLines: Whether the stream has the columns `lines` and `texts`.
  ///   - version: The version of the program, which the schema's metadata state as `galley.version`.
  ///   - sink: A function that writes buffers one after the other, and throws if it cannot.
  public init(
    _ variants: [Variant], types: [String], hasFrames: Bool, hasLines: Bool = false, form: Form = .arrow,
    version: String, to sink: @escaping ([UnsafeRawBufferPointer]) throws -> Void
  ) throws {
    (self.variants, self.form, self.sink) = (variants, form, sink)
    let fields = columnFormats { StreamColumns(hasFrames: hasFrames, hasLines: hasLines, $0) }.map(\.field)
    batches = variants.map {
      StreamBatch(variant: $0.name, types: types, scale: $0.scale, hasFrames: hasFrames, hasLines: hasLines)
    }
    let schema = ArrowSchema(fields, metadata: [ArrowMetadataEntry("galley.version", version)])
    writer = form == .arrow ? try ArrowStreamWriter(schema, to: sink) : nil
  }

  /// Writes the next rows, given as the columns of each variant.
  ///
  /// - Parameter first: The index of the first row in the columns that is written.
  /// - Throws: `OutputError` for a row that no record batch can hold, and what the sink throws.
  public func take(_ tables: [JobTable], from first: Int = 0) throws {
    let count = tables.rowCount
    // The number of the columns' first row.
    let start = rows - UInt64(first)
    notes.note(tables, firstRow: start, from: first)
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
      for (part, batch) in zip(following, batches) {
        let columns = batch.columns(of: part, firstRow: start)
        if let writer { try writer.write(rows: next, columns) } else { batch.objects.begin(rows: next, columns) }
      }
      if writer == nil { try writeObjects(next, isFirst: rows == 0 && done == first) }
      parts = following
      done += next
    }
    rows += UInt64(count - first)
  }

  /// Writes the objects of the next rows, in the order of the rows and then of the variants.
  private func writeObjects(_ count: Int, isFirst: Bool) throws {
    for row in 0..<count {
      text.removeAll()
      for (index, batch) in batches.enumerated() {
        if form == .array { text.append(isFirst && row == 0 && index == 0 ? "[" : ",") }
        batch.objects.append(record: row, to: &text)
        text.append("\n")
      }
      try sink([text.bytes])
    }
  }

  /// Writes what shows a reader that the stream is whole: the mark at the end of an Arrow stream, or the end of an array.
  public func finish() throws {
    if let writer { return try writer.finish() }
    guard form == .array else { return }
    text.removeAll()
    text.append(rows == 0 ? "[]\n" : "]\n")
    try sink([text.bytes])
  }
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
