import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables
import TextMeasuring

/// Lays out jobs of one program: whole lines in, columns out. Knows nothing of processes or sockets, so that a batch
/// gives the same bytes wherever it is run.
///
/// It is used by one thread; while the solver asks it for sizes, nothing else is under way that writes what it then
/// writes. Its properties are not checked for that at run time, as those of `RowBinder` are not.
public final class JobLayout {
  public let program: CellProgram
  @exclusivity(unchecked) public private(set) var variants: [Variant]
  let binder: RowBinder
  @exclusivity(unchecked) var measurer: TextMeasurer
  @exclusivity(unchecked) private(set) var solvers: Solvers
  @exclusivity(unchecked) var frames = FlatBuffer<Frame>(capacity: 64)
  /// The measurer's number of each of the row's texts, or -1 before it is measured.
  @exclusivity(unchecked) private(set) var preparedTexts = FlatBuffer<Int32>(capacity: 16)
  /// How many of them are measured.
  @exclusivity(unchecked) private var preparedCount = 0
  /// Characters of the row that was laid out last for which no font has a glyph, and the first different ones of them.
  @exclusivity(unchecked) private(set) var missing = RowMissingGlyphs()
  @exclusivity(unchecked) var textScale = 1.0
  /// How many trees were bound so far.
  @exclusivity(unchecked) private var bindings = 0
  @exclusivity(unchecked) private(set) var columns: [ColumnsBox]
  @exclusivity(unchecked) private var cache = LayoutCache()
  /// Of the bound row; nil when its frames depend on more than what is bound.
  @exclusivity(unchecked) private var fingerprint: LayoutFingerprint?
  @exclusivity(unchecked) private var fingerprintParts = FlatBuffer<UInt64>(capacity: 64)
  @exclusivity(unchecked) var name = FlatBuffer<UInt8>(capacity: 64)
  @exclusivity(unchecked) private var padded = FlatBuffer<UInt8>(capacity: 4096)

  /// - Throws: `CellError` for a font file that cannot be read.
  public init(
    _ program: CellProgram, cells: CellRegistry = CellRegistry(), variants: [Variant],
    cacheBudget: Int = TextMeasurer.defaultCacheBudget
  ) throws(CellError) {
    self.program = program
    self.variants = variants
    binder = RowBinder(program, cells: cells)
    do {
      measurer = TextMeasurer(book: try FontBook(program.faces, fallback: program.fallback), cacheBudget: cacheBudget)
    } catch {
      throw CellError("font file number \(error.index) is not a font, or lacks the face")
    }
    solvers = Solvers(variants.map(\.scale))
    columns = variants.map { _ in ColumnsBox() }
  }

  /// Lays out in other variants from now on; what is known of fonts and texts stays.
  public func change(to variants: [Variant]) {
    guard variants != self.variants else { return }
    self.variants = variants
    solvers = Solvers(variants.map(\.scale))
    columns = variants.map { _ in ColumnsBox() }
  }

  /// The name of the file of the job's rows, for errors.
  private(set) var file = ""

  /// Share of the texts' segments that the measurer's cache had, 0 to 1.
  public var cacheHitRate: Double { measurer.cacheHitRate }

  /// Cells that were known from others with the same content.
  var cacheHits: Int { cache.hits }

  /// Lays out a job's rows; answers their number. The columns of each variant are then at `columns(of:)`.
  public func layout(_ job: Job) -> Int {
    for box in columns { box.job.removeAll() }
    file = job.file
    var lines = Lines(job.lines)
    var line = job.firstLine
    var rows = 0
    while let (next, end) = lines.next() {
      if let row = next.row(inLine: line) {
        layoutRow(padded(row, followedBy: job.lines.count - end), line: line, number: job.firstRow &+ UInt64(rows))
        rows += 1
      }
      line &+= 1
    }
    return rows
  }

  /// What the last job gave for a variant.
  public func withColumns<Result>(of variant: Int, _ body: (borrowing JobColumns) -> Result) -> Result {
    body(columns[variant].job)
  }

  /// The parser reads a little past the end of a row, so the last rows of a job move to where it may.
  private func padded(_ row: ByteString, followedBy following: Int) -> ByteString {
    if following >= JSONParser.padding || row.count > Lines.maxLength { return row }
    padded.removeAll()
    padded.append(contentsOf: row.bytes)
    padded.extend(by: JSONParser.padding).update(repeating: 0, count: JSONParser.padding)
    return ByteString(start: padded.base, count: row.count)
  }

  private func layoutRow(_ row: ByteString, line: UInt64, number: UInt64) {
    do throws(CellError) { try read(row) } catch {
      for variant in variants.indices { appendBadRow(error, variant, line: line, number: number) }
      return
    }
    var bound: SizeRange?
    for variant in variants.indices {
      let range = constrainedSize(of: variant)
      do throws(CellError) {
        if bound == nil || (binder.dependsOnConstraint && bound != range) {
          try bind(range)
          bound = range
        }
        try layout(variant, range, number: number)
      } catch {
        appendBadRow(error, variant, line: line, number: number)
      }
    }
  }

  func read(_ row: ByteString) throws(CellError) { try binder.read(row, maxLength: Lines.maxLength) }

  func constrainedSize(of variant: Int) -> SizeRange { binder.constrainedSize(variants[variant].constrainedSize) }

  func bind(_ range: SizeRange) throws(CellError) {
    try binder.bind(range)
    startMeasuring()
    fingerprint =
      binder.isWholeInItsTree && !recordsEverything && cache.looks()
      ? LayoutFingerprint(binder, &fingerprintParts) : nil
  }

  private func startMeasuring() {
    bindings &+= 1
    measurer.removeAll()
    preparedCount = 0
    preparedTexts.removeAll()
    preparedTexts.extend(by: binder.textCount).update(repeating: -1, count: binder.textCount)
  }

  private func layout(_ variant: Int, _ range: SizeRange, number: UInt64) throws(CellError) {
    append(try cachedFrames(variant, range), to: columns[variant], number: number)
  }

  /// As `layoutFrames`, for a row whose content may have been laid out before.
  private func cachedFrames(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    guard let fingerprint else { return try layoutFrames(variant, range) }
    let key = fingerprint.with(range, scale: variants[variant].scale, textScale: variants[variant].textScale)
    if let size = cache.find(key, &frames, &missing) {
      // Elements that are laid out alike may be of other types.
      try checkFetchedSizes(variant, range)
      return size
    }
    let size = try layoutFrames(variant, range)
    cache.insert(key, size, frames, missing)
    return size
  }

  /// Lays out the bound row; its frames are then in `frames`, the cell's own first.
  func layoutFrames(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    textScale = variants[variant].textScale
    var asksAgain = false
    while true {
      let size = try solve(variant, range)
      if solvers.requests(scale: variants[variant].scale).isEmpty {
        noteMissingGlyphs()
        try checkFetchedSizes(variant, range)
        return size
      }
      try binder.answer(solvers.requests(scale: variants[variant].scale), again: asksAgain)
      asksAgain = true
      startMeasuring()
    }
  }

  /// Lays out the bound row once more and returns its elements.
  func solveForElements(_ variant: Int, _ range: SizeRange) -> [LaidOutElement] {
    textScale = variants[variant].textScale
    // What the solver remembers has no leaves.
    bindings &+= 1
    solvers.remembersLeaves = true
    defer { solvers.remembersLeaves = recordsEverything }
    _ = try? solve(variant, range)
    return laidOutElements(variant)
  }

  private func solve(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    frames.removeAll()
    let leaves = LeafMeasurer(
      context: Unmanaged.passUnretained(self).toOpaque(),
      measure: { context, tag, width, height, result in
        guard let context else { return }
        let measured = Unmanaged<JobLayout>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.measureLeaf(tag, width, height)
        }
        result.storeBytes(of: measured, as: LeafMeasurement.self)
      },
      layOut: { context, tag, range, pass, result in
        guard let context else { return }
        let size = Unmanaged<JobLayout>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.binder.layOut(
            tag, range.load(as: SizeRange.self), &pass.assumingMemoryBound(to: CustomLayoutPass.self).pointee)
        }
        result.storeBytes(of: size, as: Size.self)
      })
    do throws(LayoutFailure) {
      return try solvers.layout(
        Solvers.Question(binding: bindings, scale: variants[variant].scale, textScale: textScale), binder.tree, range,
        leaves, &frames)
    } catch {
      throw CellError("its size is infinite or not a number; give it a size, or its parent a bounded one")
        .within(contentsOf: binder.path(of: error.element))
    }
  }

  /// Whether lines of texts and sizes of leaves are kept to be looked at.
  var recordsEverything = false {
    didSet {
      measurer.recordsLines = recordsEverything
      solvers.remembersLeaves = recordsEverything
    }
  }

  func measureLeaf(_ element: Int32, _ maxWidth: Double, _ maxHeight: Double) -> LeafMeasurement {
    let index = binder.textNumber(of: element)
    // A node of a cell written in Swift, which knows its size itself.
    if index < 0 { return binder.measure(element, Size(maxWidth, maxHeight)) }
    if preparedTexts[index] < 0 { prepare(index) }
    let measured = measurer.measure(
      Int(preparedTexts[index]), textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight)
    return LeafMeasurement(
      size: Size(measured.width, measured.height), ascender: measured.ascender, descender: measured.descender,
      detail: UInt32(measured.lines.clamped(to: 0...0xffff)) | (measured.isTruncated ? Self.truncatedBit : 0))
  }

  private func prepare(_ index: Int) {
    let text = binder.text(index)
    preparedTexts[index] = Int32(truncatingIfNeeded: measurer.prepare(binder.runs(of: text), text.options))
    preparedCount += 1
  }

  /// A text that no layout measured, as a flexible one in a stack without room, counts too: what is said of a row must
  /// not depend on the variants that were laid out before.
  private func noteMissingGlyphs() {
    if preparedCount < binder.textCount { prepareOthers() }
    if measurer.missingGlyphCount > 0 {
      missing = RowMissingGlyphs(measurer)
    } else if missing.count > 0 {
      missing = RowMissingGlyphs()
    }
  }

  private func prepareOthers() {
    for index in 0..<binder.textCount where preparedTexts[index] < 0 { prepare(index) }
  }

  static let truncatedBit: UInt32 = 1 << 16

  /// A node's name in the frame table.
  func name(of frame: Frame, at place: Int) -> String {
    name.removeAll()
    binder.appendName(of: frame.element, place: place, to: &name)
    return String(decoding: name.values, as: UTF8.self)
  }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
