import Buffers
import Glibc
import LayoutEngine

/// The fonts of cells written in Swift, by the names that their texts give.
///
///     let fonts = try TextFonts(
///       ["body": .init(file: "Inter-Regular.otf", size: 15, lineHeight: 20)], fallback: ["NotoColorEmoji.ttf"])
///     let layout = CellLayout(scale: 2, fonts: fonts)
///
/// The fonts must be used by one thread.
public final class TextFonts {
  /// A font at a size.
  public struct Font: Sendable {
    /// The path of an OpenType or TrueType file.
    public var file: String
    /// The index of the face in a collection; 0 for other files.
    public var faceIndex: UInt32
    /// The weight at which a variable font is used, from 1 to 1000; 0 is the default of the file.
    public var weight: UInt32
    /// The size of the font in points.
    public var size: Double
    /// The height of a line in points; nil is the height that the fonts of the line have.
    public var lineHeight: Double?
    /// The space that is added after each cluster, in points.
    public var letterSpacing: Double

    /// Creates a font from lengths in points.
    public init(
      file: String, faceIndex: UInt32 = 0, weight: UInt32 = 0, size: Double, lineHeight: Double? = nil,
      letterSpacing: Double = 0
    ) {
      self.file = file
      self.faceIndex = faceIndex
      self.weight = weight
      self.size = size
      self.lineHeight = lineHeight
      self.letterSpacing = letterSpacing
    }
  }

  private let styles: [String: TextStyle]
  /// The bytes of the fonts, to which the measurer refers.
  private let files: [OwnedBytes]
  private var measurer: TextMeasurer
  private var runs = FlatBuffer<TextRun>(capacity: 8)
  private var arena = ByteArena()

  /// Reads the files of fonts.
  ///
  /// - Parameters:
  ///   - fonts: the fonts by the names that the runs of `TextNode` give.
  ///   - fallback: the paths of the files that are tried, in their order, for characters that a text's own font lacks.
  /// - Throws: `FontFileError` for a file that cannot be read or is not a font, and for the first of too many fonts.
  public init(_ fonts: [String: Font], fallback: [String] = []) throws(FontFileError) {
    var (paths, files): ([String], [OwnedBytes]) = ([], [])
    var sources: [FontBook.Source] = []
    var styles: [String: TextStyle] = [:]
    func add(_ path: String, _ faceIndex: UInt32 = 0, weight: UInt32 = 0) throws(FontFileError) {
      guard sources.count < FontBook.maxFaces else {
        throw FontFileError(path: path, reason: "is one font too many; there are at most \(FontBook.maxFaces)")
      }
      let file = if let known = paths.firstIndex(of: path) { files[known] } else { try Self.read(path) }
      paths.append(path)
      files.append(file)
      sources.append(FontBook.Source(file: ByteString(file.bytes), index: faceIndex, weight: weight))
    }
    for (name, font) in fonts.sorted(by: { $0.key < $1.key }) {
      styles[name] = TextStyle(
        face: Int32(sources.count), size: font.size, lineHeight: font.lineHeight ?? .nan,
        letterSpacing: font.letterSpacing)
      try add(font.file, font.faceIndex, weight: font.weight)
    }
    let firstFallback = sources.count
    for path in fallback { try add(path) }
    do {
      let book = try FontBook(sources, fallback: (firstFallback..<sources.count).map { Int32($0) })
      measurer = TextMeasurer(book: book)
    } catch {
      throw FontFileError(path: paths[error.index], reason: "is not a font file, or lacks the face")
    }
    self.styles = styles
    self.files = files
  }

  /// Returns the bytes of a font file.
  private static func read(_ path: String) throws(FontFileError) -> OwnedBytes {
    func unreadable() -> FontFileError {
      FontFileError(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
    }
    guard let file = fopen(path, "rb") else { throw unreadable() }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0 else { throw unreadable() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FontFileError(path: path, reason: "is not a regular file") }
    return try OwnedBytes(filling: Int(status.st_size)) { bytes throws(FontFileError) in
      if fread(bytes.baseAddress, 1, bytes.count, file) == bytes.count { return }
      // At the end of the file, errno states nothing.
      if ferror(file) != 0 { throw unreadable() }
      throw FontFileError(path: path, reason: "ends before its size; try again when it is not being written")
    }
  }

  /// Measures a text.
  ///
  /// - Parameters:
  ///   - text: the text with its runs and options.
  ///   - room: the size of the box in points, either length of which can be infinite.
  ///   - textScale: the factor by which font sizes and line heights are multiplied.
  /// - Returns: the size and the baselines in points, or nil if a run names a font that is not among these.
  public func measure(_ text: TextNode, _ room: Size, textScale: Double = 1) -> LeafMeasurement? {
    arena.removeAll()
    runs.removeAll()
    for run in text.runs {
      guard let style = styles[run.font] else { return nil }
      arena.append(run.text)
      runs.append(TextRun(text: arena.finish(), style: style))
    }
    var options = TextOptions()
    options.maximumNumberOfLines = Int32(clamping: max(0, text.maximumNumberOfLines))
    options.lineSpacing = text.lineSpacing
    arena.append(text.truncation)
    options.truncation = arena.finish()
    measurer.removeAll()
    let prepared = measurer.prepare(runs.values, options)
    let placement = TextPlacement(insets: text.textContainerInset)
    let inner = placement.inner(room)
    var exclusions = ExclusionPaths(text.exclusionPaths)
    let measured = measurer.measure(
      prepared, textScale: textScale, maxWidth: inner.width, maxHeight: inner.height, around: &exclusions)
    return LeafMeasurement(
      size: placement.outer(Size(measured.width, measured.height)), ascender: measured.ascender,
      descender: measured.descender)
  }
}

/// The error of a font file that cannot be used.
public struct FontFileError: Error, Equatable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The reason, such as `cannot be read: No such file or directory`.
  public let reason: String

  /// The path and the reason: `fonts/Inter.otf: cannot be read: No such file or directory`.
  public var description: String { "\(path): \(reason)" }
}

extension CellLayout {
  /// Creates a layout that measures texts with fonts.
  ///
  /// - Parameters:
  ///   - scale: the number of device pixels a point, which is greater than 0 and at most `Variant.scaleLimit`.
  ///   - textScale: the factor by which font sizes and line heights are multiplied.
  ///   - layoutDirection: the direction of the list, which nodes have that state none.
  ///   - fonts: the fonts that the texts of the cells name. A text in another font is an error of its cell.
  public convenience init(
    scale: Double, textScale: Double = 1, layoutDirection: LayoutDirection = .ltr, fonts: TextFonts
  ) {
    self.init(scale: scale, layoutDirection: layoutDirection) { text, room in
      fonts.measure(text, room, textScale: textScale)
    }
  }
}
