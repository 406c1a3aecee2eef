import TableFormats

/// A number in the header of a job's columns: how many values a column has. The header has its parts in this order, and in each
/// part the numbers in theirs.
package enum JobCount: Int, CaseIterable {
  case rows, frames, names, resources, idBytes, errorBytes, nameBytes, resourceURLBytes, missingRows, missingBytes
  /// The numbers of a job with lines.
  case lines, texts, textRuns, textBytes
  /// The numbers of a job in which resources or texts have what most have not.
  case resourceDetails, textSpans, textFactors

  /// The parts of a header that not every header has, as the bits of its first number.
  struct Parts: OptionSet {
    let rawValue: UInt64

    static let lines = Parts(rawValue: 1 << 63)
    static let details = Parts(rawValue: 1 << 62)
    static let all: Parts = [.lines, .details]
  }

  /// The part to which the number belongs; empty for a number that every header has.
  var part: Parts {
    rawValue >= JobCount.resourceDetails.rawValue ? .details : rawValue >= JobCount.lines.rawValue ? .lines : []
  }

  /// Returns the index of the number in a header that has it.
  func index(in parts: Parts) -> Int {
    let skipsLines = part == .details && !parts.contains(.lines)
    return rawValue - (skipsLines ? JobCount.resourceDetails.rawValue - JobCount.lines.rawValue : 0)
  }

  /// Returns the number of numbers in a header.
  static func count(in parts: Parts) -> Int { allCases.count { parts.isSuperset(of: $0.part) } }
}

/// Columns of a job that are present together or not. They have a value for each row.
enum JobColumnGroup {
  /// The hashes of the rows, which the columns of other variants than the first lack.
  case hashes
  /// The margins of the rows, which the columns of earlier versions lack.
  case margins

  /// The number of bytes for each row.
  private var stride: Int {
    switch self {
    case .hashes: 2 * MemoryLayout<UInt64>.stride
    case .margins: MemoryLayout<UInt64>.stride
    }
  }

  /// Returns whether the group is among the optional columns of a job that have a number of bytes together.
  func isPresent(in bytes: Int, rows: Int) -> Bool {
    guard rows > 0 else { return false }
    return switch self {
    case .hashes: bytes >= rows * stride
    // Without the hashes, if there are any, the margins are left.
    case .margins: bytes % (rows * Self.hashes.stride) != 0
    }
  }
}

/// What a job's declaration states about a column.
struct JobColumnFormat {
  /// The number in the job's header that is the number of the column's values.
  let count: JobCount
  /// The size of a value in bytes.
  let stride: Int
  /// What the values, which are 32-bit numbers, are indices of, if they are indices in the job.
  let target: JobCount?
  /// The columns with which the column is present or not; nil for a column that is always present.
  let group: JobColumnGroup?
}

/// The columns of a job.
///
/// The initializer declares them in the order in which they are sent. What clears, encodes or decodes all columns passes
/// over what it declares. Optional columns are the last ones; they have all their values or none.
package struct JobSchema<Storage> {
  package let width: Column<Float, Storage>
  package let height: Column<Float, Storage>
  package let frameCount: Column<UInt32, Storage>
  package let cell: Column<UInt32, Storage>
  package let idLength: Column<UInt32, Storage>
  /// The length of the row's error in bytes, which is 0 for a good row.
  package let errorLength: Column<UInt32, Storage>
  /// The number of characters in the row's texts for which no font has a glyph.
  package let missingGlyphs: Column<UInt16, Storage>

  /// The index in the job of a row with missing glyphs.
  package let missingRow: Column<UInt32, Storage>
  /// The length in `missingBytes` of the first different characters that are missing, in bytes.
  package let missingLength: Column<UInt32, Storage>

  package let node: Column<UInt32, Storage>
  package let type: Column<UInt8, Storage>
  /// The index in the row of the frame that contains this one, or -1.
  package let parent: Column<Int32, Storage>
  package let frameRect: RectColumns<Float, Storage>
  package let lines: Column<UInt16, Storage>
  package let truncated: Column<UInt8, Storage>

  /// The index in the job of the resource's row.
  package let resourceRow: Column<UInt32, Storage>
  /// The index in the job of the resource's frame.
  package let resourceFrame: Column<UInt32, Storage>
  package let resourceURLLength: Column<UInt32, Storage>

  package let nameLength: Column<UInt32, Storage>
  package let idBytes: Column<UInt8, Storage>
  package let errorBytes: Column<UInt8, Storage>
  package let nameBytes: Column<UInt8, Storage>
  package let resourceURLBytes: Column<UInt8, Storage>
  package let missingBytes: Column<UInt8, Storage>

  /// The index in the job of the frame of a line's text.
  package let lineFrame: Column<UInt32, Storage>
  package let lineStart: Column<UInt32, Storage>
  package let lineEnd: Column<UInt32, Storage>
  package let lineRect: RectColumns<Float, Storage>
  package let lineBaseline: Column<Float, Storage>
  /// A bit each: the truncation string follows, a hyphen follows, the paragraph runs from right to left.
  package let lineTraits: Column<UInt8, Storage>

  /// The index in the job of a text's frame. Each text of the job has one, in the order of the frames.
  package let textFrame: Column<UInt32, Storage>
  /// The lengths in `textBytes` of a text and, after it, of its truncation string.
  package let textLength: Column<UInt32, Storage>
  package let truncationLength: Column<UInt32, Storage>
  package let textRunCount: Column<UInt32, Storage>
  /// The offset in its text after a run, in UTF-16.
  package let runEnd: Column<UInt32, Storage>
  /// The number of the name of a run's font.
  package let runFont: Column<UInt32, Storage>
  package let textBytes: Column<UInt8, Storage>

  /// The index of a resource that has another type than its frame, or states its size. They ascend.
  package let detailResource: Column<UInt32, Storage>
  package let detailType: Column<UInt8, Storage>
  /// The size in pixels that the row states, or 0 for that of the frame.
  package let detailPixelWidth: Column<UInt32, Storage>
  package let detailPixelHeight: Column<UInt32, Storage>

  /// The index of the text of a span. They ascend.
  package let spanText: Column<UInt32, Storage>
  /// The number in its text of the line of a span.
  package let spanLine: Column<UInt16, Storage>
  package let spanStart: Column<UInt32, Storage>
  package let spanEnd: Column<UInt32, Storage>
  package let spanRect: RectColumns<Float, Storage>
  /// The numbers of the URL and of the kind of a span among the names.
  package let spanURL: Column<UInt32, Storage>
  package let spanKind: Column<UInt32, Storage>

  /// The index of a text whose fonts are not of their sizes, and the factor of these. They ascend.
  package let factorText: Column<UInt32, Storage>
  package let factor: Column<Float, Storage>

  /// The hash of each row, in the columns of the first variant of jobs that a worker has laid out.
  package let hashLow: Column<UInt64, Storage>
  package let hashHigh: Column<UInt64, Storage>

  /// The bits of `PackedMargins` of each row.
  package let margins: Column<UInt64, Storage>

  /// - Parameter storage: A function that returns where the values of a column are.
  init<Failure>(_ storage: (JobColumnFormat) throws(Failure) -> Storage) throws(Failure) {
    width = try Column(.rows, storage)
    height = try Column(.rows, storage)
    frameCount = try Column(.rows, storage)
    cell = try Column(.rows, indexOf: .names, storage)
    idLength = try Column(.rows, storage)
    errorLength = try Column(.rows, storage)
    missingGlyphs = try Column(.rows, storage)
    missingRow = try Column(.missingRows, indexOf: .rows, storage)
    missingLength = try Column(.missingRows, storage)
    node = try Column(.frames, indexOf: .names, storage)
    type = try Column(.frames, storage)
    parent = try Column(.frames, storage)
    frameRect = try RectColumns { (_) throws(Failure) in try Column(.frames, storage) }
    lines = try Column(.frames, storage)
    truncated = try Column(.frames, storage)
    resourceRow = try Column(.resources, indexOf: .rows, storage)
    resourceFrame = try Column(.resources, indexOf: .frames, storage)
    resourceURLLength = try Column(.resources, storage)
    nameLength = try Column(.names, storage)
    idBytes = try Column(.idBytes, storage)
    errorBytes = try Column(.errorBytes, storage)
    nameBytes = try Column(.nameBytes, storage)
    resourceURLBytes = try Column(.resourceURLBytes, storage)
    missingBytes = try Column(.missingBytes, storage)
    lineFrame = try Column(.lines, indexOf: .frames, storage)
    lineStart = try Column(.lines, storage)
    lineEnd = try Column(.lines, storage)
    lineRect = try RectColumns { (_) throws(Failure) in try Column(.lines, storage) }
    lineBaseline = try Column(.lines, storage)
    lineTraits = try Column(.lines, storage)
    textFrame = try Column(.texts, indexOf: .frames, storage)
    textLength = try Column(.texts, storage)
    truncationLength = try Column(.texts, storage)
    textRunCount = try Column(.texts, storage)
    runEnd = try Column(.textRuns, storage)
    runFont = try Column(.textRuns, indexOf: .names, storage)
    textBytes = try Column(.textBytes, storage)
    detailResource = try Column(.resourceDetails, indexOf: .resources, storage)
    detailType = try Column(.resourceDetails, storage)
    detailPixelWidth = try Column(.resourceDetails, storage)
    detailPixelHeight = try Column(.resourceDetails, storage)
    spanText = try Column(.textSpans, indexOf: .texts, storage)
    spanLine = try Column(.textSpans, storage)
    spanStart = try Column(.textSpans, storage)
    spanEnd = try Column(.textSpans, storage)
    spanRect = try RectColumns { (_) throws(Failure) in try Column(.textSpans, storage) }
    spanURL = try Column(.textSpans, indexOf: .names, storage)
    spanKind = try Column(.textSpans, indexOf: .names, storage)
    factorText = try Column(.textFactors, indexOf: .texts, storage)
    factor = try Column(.textFactors, storage)
    hashLow = try Column(.rows, in: .hashes, storage)
    hashHigh = try Column(.rows, in: .hashes, storage)
    margins = try Column(.rows, in: .margins, storage)
  }

  static func headerSize(_ parts: JobCount.Parts) -> Int { JobCount.count(in: parts) * MemoryLayout<UInt64>.size }

  /// Returns the size that a column takes: each starts at a multiple of eight bytes.
  static func padded(_ byteCount: Int) -> Int { (byteCount + 7) & ~7 }
}

extension Column where Value: BitwiseCopyable {
  /// Declares a column of a job.
  ///
  /// - Parameters:
  ///   - count: What the column has one value for.
  ///   - target: What its values are indices of.
  ///   - group: The columns with which it is present or not.
  fileprivate init<Failure>(
    _ count: JobCount, indexOf target: JobCount? = nil, in group: JobColumnGroup? = nil,
    _ storage: (JobColumnFormat) throws(Failure) -> Storage
  ) throws(Failure) {
    self.init(
      storage: try storage(
        JobColumnFormat(count: count, stride: MemoryLayout<Value>.stride, target: target, group: group)))
  }
}
