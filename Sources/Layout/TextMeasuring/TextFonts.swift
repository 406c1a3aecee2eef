import Buffers
import LayoutEngine

/// The fonts that texts of cells written in Swift name, with their files.
///
///     let fonts = try TextFonts(["body": .init(file: "Inter-Regular.otf", size: 15, lineHeight: 20)])
///     let layout = CellLayout(scale: 2, fonts: fonts)
///
/// Used by one thread, as the measurer in it is.
public final class TextFonts {
  /// A font at a size.
  public struct Font: Sendable {
    /// The path of an OpenType or TrueType file.
    public var file: String
    /// Which face of a collection.
    public var faceIndex: UInt32
    /// The weight at which a variable font is used, from 1 to 1000; 0: as the file has it.
    public var weight: UInt32
    /// Points an em.
    public var size: Double
    /// Points a line; nil is what the fonts of the line ask for.
    public var lineHeight: Double?
    /// Points after each character.
    public var letterSpacing: Double

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
  private let files: [FontBytes]
  private var measurer: TextMeasurer
  private var runs = FlatBuffer<TextRun>(capacity: 8)
  private var arena = ByteArena()

  /// - Parameters:
  ///   - fonts: by the names that `TextNode`s give.
  ///   - fallback: files to take characters from, in order, that a text's own font lacks.
  /// - Throws: `FontFileError` for a file that cannot be read or is not a font.
  public init(_ fonts: [String: Font], fallback: [String] = []) throws(FontFileError) {
    var files: [FontBytes] = []
    var sources: [FontBook.Source] = []
    var styles: [String: TextStyle] = [:]
    for (name, font) in fonts.sorted(by: { $0.key < $1.key }) {
      styles[name] = TextStyle(
        face: Int32(sources.count), size: font.size, lineHeight: font.lineHeight ?? .nan,
        letterSpacing: font.letterSpacing)
      files.append(try FontBytes(font.file))
      sources.append(FontBook.Source(file: files[files.count - 1].bytes, index: font.faceIndex, weight: font.weight))
    }
    let firstFallback = sources.count
    for path in fallback {
      files.append(try FontBytes(path))
      sources.append(FontBook.Source(file: files[files.count - 1].bytes, index: 0, weight: 0))
    }
    do {
      let book = try FontBook(sources, fallback: (firstFallback..<sources.count).map { Int32($0) })
      measurer = TextMeasurer(book: book)
    } catch {
      throw FontFileError(path: files[error.index].path, reason: "is not a font file, or lacks the face")
    }
    self.styles = styles
    self.files = files
  }

  /// Measures a text that has at most so much room, in points; nil if it names a font that is not among these.
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
    let measured = measurer.measure(prepared, textScale: textScale, maxWidth: room.width, maxHeight: room.height)
    return LeafMeasurement(
      size: Size(measured.width, measured.height), ascender: measured.ascender, descender: measured.descender)
  }
}

/// A font file that cannot be used.
public struct FontFileError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  /// `fonts/Inter.otf: cannot be read: No such file or directory`
  public var description: String { "\(path): \(reason)" }
}

extension CellLayout {
  /// - Parameters:
  ///   - scale: device pixels a point.
  ///   - textScale: multiplies font sizes and line heights.
  ///   - fonts: those that the texts of the cells name. A text in another one is an error of its cell.
  public convenience init(scale: Double, textScale: Double = 1, fonts: TextFonts) {
    self.init(scale: scale) { text, room in fonts.measure(text, room, textScale: textScale) }
  }
}
