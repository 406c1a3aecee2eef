import Buffers
import CellTemplates
import Hashing
import LayoutEngine
import LayoutTables
import TableFormats
import TextMeasuring

/// A layout of jobs of one program: it takes whole lines and fills columns. It does not depend on processes or sockets, so
/// that a batch has the same bytes wherever it is run.
///
/// It is used by one thread.
public final class JobLayout {
  /// Everything that changes while rows are laid out.
  struct State: ~Copyable {
    var variants: [Variant] = []
    /// The conditions under which the texts of each variant are prepared.
    var preparations: [TextPreparation] = []
    var measurer: TextMeasurer
    var solvers = Solvers([])
    /// The frames of the row that was laid out last, the cell's own first.
    var frames = FlatBuffer<Frame>(capacity: 64)
    /// The columns of each variant.
    var columns: [JobColumns] = []
    /// The measurer's number of each of the row's texts, or -1 for a text that is not prepared yet.
    var preparedTexts = FlatBuffer<Int32>(capacity: 16)
    /// The number of texts that are prepared.
    var preparedCount = 0
    /// The characters of the row that was laid out last for which no font has a glyph.
    var missing = RowMissingGlyphs()
    /// The texts and lines of the row that was laid out last, if its variant has lines.
    var lines = RowLines()
    /// The texts that were prepared at factors of their font sizes.
    var scaledTexts = FlatBuffer<ScaledText>(capacity: 4)
    /// The margins of the texts of the bound row that were measured.
    var measuredMargins = MeasuredMargins()
    /// The margins of the row that was laid out last.
    var margins = PackedMargins.none
    /// The conditions under which the texts of the variant are prepared.
    var preparation = TextPreparation()
    /// The number of device pixels a point.
    var pixels = 1.0
    /// The runs of the text that is prepared, if their styles are converted.
    var scaledRuns = FlatBuffer<TextRun>(capacity: 4)
    /// Whether the bound tree was not laid out yet, so that there are no results of its elements.
    var isUnsolved = true
    /// Whether a text that is prepared has what the platform does not lay out.
    var refusesText = false
    /// The number of trees that were bound so far.
    var bindings = 0
    var cache = LayoutCache()
    /// The fingerprint of the bound row, or nil if its frames depend on more than what is bound.
    var fingerprint: LayoutFingerprint?
    var fingerprintParts = FlatBuffer<UInt64>(capacity: 64)
    /// The name of the frame that is written.
    var name = FlatBuffer<UInt8>(capacity: 64)
    /// A copy of a row at the end of a job, followed by the padding that the parser needs.
    var padded = FlatBuffer<UInt8>(capacity: 4096)
  }

  public let program: CellProgram
  let binder: RowBinder
  /// No access to the state overlaps with one that changes it: while the solver runs, only the functions that it calls for
  /// the sizes of leaves change the state. The checks for that at run time are left out, because with them (and those of
  /// `RowBinder`) laying out a photo post takes 117,850 instructions instead of 109,289, and a repeated one 14,091 instead
  /// of 7,915 (`galley-bench --instructions`).
  @exclusivity(unchecked) var state: State

  public var variants: [Variant] { state.variants }

  /// - Throws: `CellError` for a font file that cannot be read.
  public init(
    _ program: CellProgram, cells: CellRegistry = CellRegistry(), variants: [Variant],
    cacheBudget: Int = TextMeasurer.defaultCacheBudget
  ) throws(CellError) {
    self.program = program
    binder = RowBinder(program, cells: cells)
    let book: FontBook
    do { book = try FontBook(program.faces, fallback: program.fallback) } catch {
      throw CellError("font file number \(error.index) is not a font, or lacks the face")
    }
    state = State(measurer: TextMeasurer(book: book, dictionaries: program.dictionaries, cacheBudget: cacheBudget))
    change(to: variants)
  }

  /// Changes the variants of the jobs that follow. Fonts and measured texts are kept.
  public func change(to variants: [Variant]) {
    guard variants != state.variants else { return }
    state.variants = variants
    state.preparations = variants.map { TextPreparation($0, program) }
    state.solvers = Solvers(variants)
    state.columns = variants.map { _ in JobColumns() }
    state.measurer.keepsRunEnds = variants.contains(where: \.hasLines)
  }

  /// The name of the rows file of the job, for errors.
  private(set) var file = ""

  /// The share of text segments that the measurer found in its cache, from 0 to 1.
  public var cacheHitRate: Double { state.measurer.cacheHitRate }

  /// The numbers of text segments that the measurer has looked up, and of those that it found in its cache.
  public var cacheUse: (lookups: Int, hits: Int) { state.measurer.cacheUse }

  /// Lays out the rows of a job and returns their number. `withColumns(of:)` then gives the columns of each variant.
  public func layout(_ lines: ByteString, firstLine: UInt64, firstRow: UInt64, file: String = "") -> Int {
    layout(lines, firstLine: firstLine, firstRow: firstRow, file: file, columnLimit: .max) ?? 0
  }

  /// The number of short rows after which the size of the columns is compared with the limit. The size is a sum over all
  /// columns, which takes a hundredth of the time of a row.
  private static let rowsBetweenLimits = 16
  /// The bytes of a row from which its columns can be many by themselves.
  private static let bytesOfLongRow = 16 << 10

  /// Lays out the rows of a job and returns their number; nil when the columns of the first variant, whose sizes are about
  /// those of the others, have more bytes than `columnLimit`.
  ///
  /// - Parameters:
  ///   - lines: Whole lines of a rows file.
  ///   - firstLine: The number of the first line in the file, from 1.
  ///   - firstRow: The number of the first row in the batch, from 0.
  ///   - file: The name of the file, which errors name if a batch has rows of several files; otherwise empty.
  public func layout(
    _ lines: ByteString, firstLine: UInt64, firstRow: UInt64, file: String, columnLimit: Int
  ) -> Int? {
    for job in state.columns { job.removeAll() }
    self.file = file
    var rest = Lines(lines)
    var line = firstLine
    var rows = 0
    while let (next, end) = rest.next() {
      if let row = next.row(inLine: line) {
        layoutRow(padded(row, followedBy: lines.count - end), line: line, number: firstRow &+ UInt64(rows))
        rows += 1
        let isMeasured = rows % Self.rowsBetweenLimits == 0 || row.count > Self.bytesOfLongRow
        if isMeasured, state.columns[0].encodedSize > columnLimit { return nil }
      }
      line &+= 1
    }
    return state.columns[0].encodedSize > columnLimit ? nil : rows
  }

  /// Calls `body` with the columns of the last job in a variant, and returns its result.
  public func withColumns<Result>(of variant: Int, _ body: (JobColumns) -> Result) -> Result {
    body(state.columns[variant])
  }

  /// Returns a row after which the parser may read. The parser reads past the end of a row, so that the last rows of a job
  /// are copied.
  private func padded(_ row: ByteString, followedBy following: Int) -> ByteString {
    if following >= JSONParser.padding || row.count > Lines.maxLength { return row }
    state.padded.removeAll()
    state.padded.append(contentsOf: row.bytes)
    state.padded.extend(by: JSONParser.padding).update(repeating: 0, count: JSONParser.padding)
    return ByteString(start: state.padded.base, count: row.count)
  }

  private func layoutRow(_ row: ByteString, line: UInt64, number: UInt64) {
    defer { state.columns[0].append(RowHash(row.bytes, hasOwnID: !binder.id.isEmpty)) }
    do throws(CellError) { try read(row) } catch {
      for variant in state.variants.indices { appendBadRow(error, variant, line: line, number: number) }
      return
    }
    var bound: SizeRange?
    for variant in state.variants.indices {
      let range = constrainedSize(of: variant)
      do throws(CellError) {
        if bound == nil || (binder.dependsOnConstraint && bound != range) {
          try bind(range)
          bound = range
        }
        append(try cachedFrames(variant, range), to: state.columns[variant], number: number)
      } catch {
        // The tree of a row that could not be bound is not complete.
        bound = nil
        appendBadRow(error, variant, line: line, number: number)
      }
    }
  }

  func read(_ row: ByteString) throws(CellError) { try binder.read(row) }

  func constrainedSize(of variant: Int) -> SizeRange {
    let variant = state.variants[variant]
    return variant.cut(binder.constrainedSize(variant.constrainedSize))
  }

  func bind(_ range: SizeRange) throws(CellError) {
    try binder.bind(range)
    startMeasuring()
    state.fingerprint =
      binder.dependsOnlyOnTree && !recordsEverything && state.cache.shouldSearch()
      ? LayoutFingerprint(binder, &state.fingerprintParts) : nil
  }

  func startMeasuring() {
    state.bindings &+= 1
    state.measuredMargins.removeAll()
    state.refusesText = false
    state.scaledTexts.removeAll()
    state.isUnsolved = true
    state.measurer.removeAll()
    state.preparedCount = 0
    state.preparedTexts.removeAll()
    state.preparedTexts.extend(by: binder.textCount).update(repeating: -1, count: binder.textCount)
  }

  /// Does what `layoutFrames` does, but takes the frames from the cache if a row with the same content was laid out before.
  private func cachedFrames(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    guard let fingerprint = state.fingerprint else { return try layoutFrames(variant, range) }
    let variation = state.variants[variant]
    let key = fingerprint.with(
      range, variation, binder.directions(inList: variation.layoutDirection),
      followsWidthOfList: binder.followsWidthOfList)
    if let found = state.cache.find(key, &state.frames, &state.lines) {
      (state.missing, state.margins) = (found.missing, found.margins)
      // Elements of different types may have the same frames.
      try checkFetchedSizes(variant, range)
      return found.size
    }
    let size = try layoutFrames(variant, range)
    state.cache.insert(key, size, state.frames, state.lines, state.missing, state.margins)
    return size
  }

  /// Whether the lines of texts and the sizes of leaves are kept for an inspection.
  var recordsEverything = false {
    didSet { state.solvers.remembersLeaves = recordsEverything }
  }

  /// The bit of a frame's `detail` that is set for a truncated text. The lower bits are the number of lines.
  static let truncatedBit: UInt32 = 1 << 16

  /// Returns a node's name in the frame table.
  ///
  /// - Parameter index: the index of the frame among the row's frames in the table.
  func name(of frame: Frame, at index: Int) -> String {
    writeName(of: frame, at: index)
    return String(decoding: state.name.values, as: UTF8.self)
  }

  /// Writes a node's name to `state.name`.
  func writeName(of frame: Frame, at index: Int) {
    state.name.removeAll()
    binder.appendName(of: frame.element, index: index, to: &state.name)
  }
}
