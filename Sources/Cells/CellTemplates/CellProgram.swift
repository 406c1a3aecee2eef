import Buffers
import LayoutEngine
import TextMeasuring

/// A compiled cells file: the templates of its cell classes, its fonts and its font faces.
///
/// It is built from the bytes of a `ProgramArchive`, which must outlive it.
public final class CellProgram {
  public static let version = 1

  /// The generation of AsyncDisplayKit whose names and defaults the cells have.
  public let generation: LayoutGeneration
  public let fonts: FontTable
  /// The faces that are tried, in this order, for characters that the text's own face lacks.
  public let fallback: [Int32]
  public let faces: [ProgramArchive.Face]
  /// What the cells file states for texts, on all platforms or on one.
  public let platforms: PlatformTexts
  /// The patterns of hyphenation dictionaries, by language.
  let patterns: [(language: LanguageTag, patterns: ByteString)]
  /// What the cells file states for the devices of platforms.
  public let calibrations: [Platform: DeviceCalibration]
  public let cells: [CellClass]
  /// The cells file as JSON.
  public let written: ByteString
  /// The keys of rows that templates use. A row's keys are passed once, and the values of these are stored in their slots.
  let slots: [ByteString]
  let templates: Templates
  private let parser = JSONParser()
  private let mistakes: [CellError]

  /// - Throws: `CellError` with the path of the first mistake in the cells file.
  public convenience init(_ archive: ProgramArchive) throws(CellError) {
    try self.init(archive, notesMistakes: false)
    if let first = mistakes.first { throw first }
  }

  /// Returns all mistakes of a cells file, in the order in which they are found.
  public static func mistakes(in archive: ProgramArchive) -> [CellError] {
    do throws(CellError) { return try CellProgram(archive, notesMistakes: true).mistakes } catch { return [error] }
  }

  private init(_ archive: ProgramArchive, notesMistakes: Bool) throws(CellError) {
    let root = try parser.parse(copying: archive.cells.bytes)
    guard root.isObject else { throw CellError("is \(root.kindName), but must be an object with fonts and cells") }
    written = archive.cells
    generation = try Self.readGeneration(root)
    var found: [CellError] = []
    // If the fonts of a cells file are wrong, it is compiled only to find its other mistakes. Its fonts are then
    // placeholders of face 0.
    let faceCount = notesMistakes ? max(archive.faces.count, 1) : archive.faces.count
    fonts = Self.readFonts(root, faceCount: faceCount, &found)
    fallback = try Self.readFallback(root, faceCount: archive.faces.count)
    faces = archive.faces
    platforms = Self.readPlatforms(root, &found)
    patterns = Self.attempt(&found) { () throws(CellError) in try Self.readPatterns(root) } ?? []
    calibrations =
      Self.attempt(&found) { [fonts] () throws(CellError) in try Self.readCalibrations(root, fonts) } ?? [:]

    var compiler = TemplateCompiler(fonts: fonts, generation: generation, slots: [], notesMistakes: notesMistakes)
    var cells: [CellClass] = []
    try Self.checkKeys(root, &compiler)
    try compiler.attempt("cells") { (compiler) throws(CellError) in
      guard let classes = root.member("cells") else { return }
      guard classes.isObject else { throw wrongType(classes, "cell classes by name") }
      try classes.forEachMember { (name, cell) throws(CellError) in
        try compiler.attempt(name.string) { (compiler) throws(CellError) in
          cells.append(try Self.compile(cell, named: name, &compiler))
        }
      }
    }
    self.cells = cells
    mistakes = found + compiler.mistakes
    slots = compiler.slots ?? []
    templates = compiler.templates
  }

  static var reader: ValueReader<WrittenValues> { WrittenValues.reader }

  /// Returns what a function reads; nil if that is wrong, after the mistake was added to `mistakes`.
  @discardableResult
  static func attempt<Value>(
    _ mistakes: inout [CellError], _ read: () throws(CellError) -> Value
  ) -> Value? {
    do throws(CellError) { return try read() } catch {
      mistakes.append(error)
      return nil
    }
  }

  private static func checkKeys(_ root: JSONValue, _ compiler: inout TemplateCompiler) throws(CellError) {
    let known = CellFormat.file.map(\.name)
    try root.forEachMember { (key, value) throws(CellError) in
      let name = key.string
      try compiler.attempt(name) { (_) throws(CellError) in
        guard known.contains(name) else {
          throw CellError("is not a part of a cells file\(didYouMean(name, among: known))")
        }
        if name == "version" && value.integer != Int64(version) {
          throw CellError("is not supported; this program reads version \(version)")
        }
      }
    }
  }

  private static func readGeneration(_ root: JSONValue) throws(CellError) -> LayoutGeneration {
    guard let written = root.member("generation") else { return .second }
    guard let number = written.integer, let raw = UInt8(exactly: number), let known = LayoutGeneration(rawValue: raw)
    else { throw CellError("must be 1 (AsyncDisplayKit 1.9) or 2 (Texture)").within("generation") }
    return known
  }

  private static func compile(
    _ cell: JSONValue, named name: ByteString, _ compiler: inout TemplateCompiler
  ) throws(CellError) -> CellClass {
    guard cell.isObject else { throw CellError("needs a layout: {layout: {type: stack, …}}") }
    let known = CellFormat.cell.map(\.name)
    try cell.forEachMember { (key, _) throws(CellError) in
      guard !known.contains(key.string) else { return }
      let near = didYouMean(key.string, among: known)
      try compiler.note(CellError("is not a property of a cell class, which has a layout\(near)").within(key.string))
    }
    compiler.templates.readsConstraint = false
    var direction: Patch?
    if let written = cell.member("layoutDirection") {
      try compiler.attempt("layoutDirection") { (compiler) throws(CellError) in
        direction = try compiler.cellProperty(.layoutDirection, written)
      }
    }
    guard let layout = cell.member("layout") else { throw CellError("needs a layout: {layout: {type: stack, …}}") }
    return try compiler.compile(layout, named: name, direction)
  }

  /// Reads fonts as the archive has them: `{"body": {"face": 0, "size": 15, "lineHeight": 20, "letterSpacing": 0}}`. A
  /// font that is wrong is replaced by a placeholder, so that the cells that use it can be checked.
  private static func readFonts(_ root: JSONValue, faceCount: Int, _ mistakes: inout [CellError]) -> FontTable {
    var table = FontTable()
    root.member("fonts")?.forEachMember { name, font in
      do throws(CellError) {
        let style = try readFont(font, faceCount: faceCount)
        table.add(name.string, style, try readScales(of: font, size: style.size))
      } catch {
        mistakes.append(error.within(name.string).within("fonts"))
        table.add(name.string, TextStyle(face: 0, size: 1))
      }
    }
    return table
  }

  private static func readFont(_ font: JSONValue, faceCount: Int) throws(CellError) -> TextStyle {
    guard let face = font.member("face")?.integer, face >= 0, face < faceCount else {
      throw CellError("has no face")
    }
    var style = TextStyle(face: Int32(face), size: 0)
    style.size = try reader.within("size") { () throws(CellError) in try fontSize(font.member("size")) }
    let lineHeight = try reader.member("lineHeight", of: font) { (height) throws(CellError) in
      height.string == ByteString("normal") ? nil : try reader.length(height)
    }
    assign(&style.lineHeight, lineHeight)
    let letterSpacing = try reader.member("letterSpacing", of: font) { (spacing) throws(CellError) in
      try reader.number(spacing)
    }
    assign(&style.letterSpacing, letterSpacing)
    return style
  }

  private static func readFallback(_ root: JSONValue, faceCount: Int) throws(CellError) -> [Int32] {
    var faces: [Int32] = []
    try root.member("fallback")?.forEachElement { (position, face) throws(CellError) in
      guard let index = face.integer, index >= 0, index < faceCount else {
        throw CellError("has no face").within("\(position)").within("fallback")
      }
      faces.append(Int32(index))
    }
    return faces
  }

  func cell(named name: ByteString) -> CellClass? {
    for cell in cells where cell.name == name { return cell }
    return nil
  }
}
