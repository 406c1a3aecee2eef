import Buffers
import CellTemplates
import Foundation
import Hashing
import LayoutEngine
import TextMeasuring
import Yams

/// A cells file that was read, checked and packed with its fonts into the program that workers receive.
public struct CellsFile: Sendable {
  public let path: String
  /// The warnings about what is allowed, but probably not meant.
  public let warnings: [CellWarning]
  /// The font files and dictionaries with their identities when they were read.
  let fileIdentities: [String: FileIdentity]
  /// The paths of the font files and dictionaries that were read; none for a pack, which has their bytes.
  package var referencedFiles: [String] { fileIdentities.keys.sorted() }
  /// The font files that were left out because they cannot be used.
  let unusableFontFiles: [String]
  /// The font files of the program in their order.
  let programFonts: [ProgramFont]
  private let origin: Origin

  private enum Origin {
    case text(String, SourceNode, [OwnedBytes])
    case pack(CellsPack)
  }

  /// Reads a cells file, or a pack that `galley pack` has written, which is recognized by its first bytes.
  ///
  /// - Throws: `CellsFileError` for a file that is not readable, not YAML or JSON, or not a valid cells file, for a font
  ///   that is missing or broken, and for a pack that is damaged.
  public init(_ path: String) throws(CellsFileError) {
    let input = try CellsInput(path)
    let head = try input.read(upTo: CellsPack.mark.count)
    guard head == CellsPack.mark else {
      try self.init(text: try Self.text(of: head + input.read(upTo: .max), path), path: path)
      return
    }
    self.init(try CellsPack(input), path: path)
  }

  private init(_ pack: CellsPack, path: String) {
    self.path = path
    warnings = pack.warnings
    (fileIdentities, unusableFontFiles, programFonts) = ([:], [], [])
    origin = .pack(pack)
  }

  /// Makes a cells file from a text instead of a file. Font files are relative to the directory of `path`.
  public init(text: String, path: String) throws(CellsFileError) {
    self.path = path
    let written = try Self.parse(text, path)
    var expansion = TemplateExpansion()
    let source = expansion.expanded(written)
    guard expansion.mistakes.isEmpty else {
      throw CellsFileError(path: path, expansion.mistakes, written, positions: expansion.positions)
    }
    let archive: [OwnedBytes]
    var found: [CellError]
    let fonts: FontPacking
    let hyphenation = HyphenationPacking(source, directory: Self.directory(of: path))
    do throws(CellError) {
      guard !source.isEmpty else {
        throw CellError("is empty; a cells file has version: 1, fonts: and cells: (galley help cells)")
      }
      fonts = try FontPacking(source, directory: Self.directory(of: path))
      archive = try fonts.archive(of: hyphenation.packed(source))
      defer { withExtendedLifetime(archive) {} }
      let program = try ProgramArchive(archive)
      found = fonts.mistakes + hyphenation.mistakes + CellProgram.mistakes(in: program)
      if found.isEmpty { found = fonts.mistakes(in: program) }
      if found.isEmpty && source["version"] == nil {
        throw CellError("is missing; write version: \(CellProgram.version) at the top of the file", path: ["version"])
      }
    } catch {
      throw CellsFileError(path: path, [error], source)
    }
    guard found.isEmpty else { throw CellsFileError(path: path, found, source) }
    fileIdentities = fonts.identities.merging(hyphenation.identities) { font, _ in font }
    (unusableFontFiles, programFonts) = (fonts.unusableFiles, fonts.programFonts)
    warnings =
      (fonts.warnings + hyphenation.warnings).map { CellWarning($0.path, $0.message, in: source) }
      + expansion.warnings.map { CellWarning($0.path, $0.message, in: written) }
      + CellChecks(source).warnings
    origin = .text(text, source, archive)
  }

  /// Returns a copy of the bytes of a `ProgramArchive`, which workers receive. An archive of one part has no font, and is not mapped.
  ///
  /// - Throws: `CellsFileError` for a pack whose program is damaged, and if a mapped font was written since it was opened.
  public func archive() throws(CellsFileError) -> OwnedBytes {
    switch origin {
    case .text(_, _, let parts):
      let archive = OwnedBytes(joining: parts)
      try checkFonts()
      return archive
    case .pack(let pack): return try pack.archive()
    }
  }

  /// Returns the bytes of a `ProgramArchive` in parts, in which installed fonts are mapped.
  ///
  /// - Throws: `CellsFileError` for a pack whose program is damaged, and if a mapped font was written since it was opened.
  func parts() throws(CellsFileError) -> [OwnedBytes] {
    switch origin {
    case .text(_, _, let parts):
      try checkFonts()
      return parts
    case .pack(let pack): return [try pack.archive()]
    }
  }

  /// Throws an error if a font is mapped, and was written since it was opened.
  private func checkFonts() throws(CellsFileError) {
    if programFonts.contains(where: \.isWrittenInPlace) { throw Self.changedFonts(path) }
  }

  static func changedFonts(_ path: String) -> CellsFileError {
    CellsFileError(path: path, message: "its fonts have changed since the run began; run again")
  }

  /// The SHA-256 of the `ProgramArchive`, if it is stored in a pack.
  var storedHash: [UInt8]? {
    if case .pack(let pack) = origin { pack.programHash } else { nil }
  }

  /// Returns the bytes of a pack of this file before the bytes of its archive.
  ///
  /// They depend only on the text of the cells file and on the bytes of its fonts.
  ///
  /// - Parameter archive: The bytes of the archive, which follow.
  public func packHead(of archive: OwnedBytes) -> [UInt8] {
    let (text, hash) =
      switch origin {
      case .text(let text, _, _): (text, archive.withBytes { SHA256.hash($0) })
      case .pack(let pack): (pack.text, pack.programHash)
      }
    return CellsPack.head(text: text, warnings: warnings, programHash: hash, programCount: archive.count)
  }

  /// Returns whether a file begins as a pack.
  public static func isPack(_ path: String) -> Bool {
    guard let input = try? CellsInput(path), input.size != nil else { return false }
    return (try? input.read(upTo: CellsPack.mark.count)) == CellsPack.mark
  }

  /// Returns a warning about a path such as `cells`, `PhotoCell`, `layout`.
  public func warning(_ path: [String], _ message: String) -> CellWarning {
    CellWarning(path, message, in: source)
  }

  /// Returns warnings about fonts that have no size of their own at text sizes of iOS.
  ///
  /// - Parameter textSizes: the text sizes at which rows are laid out, or nil for those that some font states.
  public func warnings(at textSizes: [TextSize]?) -> [CellWarning] {
    guard let source else { return [] }
    return FontSizeChecks.warnings(source, at: textSizes).map { CellWarning($0.path, $0.message, in: source) }
  }

  private var source: SourceNode? {
    switch origin {
    case .text(_, let source, _): source
    case .pack(let pack): pack.source
    }
  }

  /// The font families that cells files can name on this machine.
  public static var installedFamilies: [String] { FontFinder().families }

  static func text(of bytes: [UInt8], _ path: String) throws(CellsFileError) -> String {
    // The parser takes a byte order mark for a part of the first key.
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw CellsFileError(path: path, message: "is not UTF-8")
    }
    return path.hasSuffix(".json") ? SourceNode.yaml(ofJSON: text) : text
  }

  private static func parse(_ text: String, _ path: String) throws(CellsFileError) -> SourceNode {
    do {
      return try SourceNode(yaml: text)
    } catch let error as YamlError {
      switch error {
      case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
        .composer(let context, let problem, let mark, _):
        var whole = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if mark.line <= lines.count, mark.line > 0, lines[mark.line - 1].prefix(mark.column).contains("\t") {
          whole = "a tab indents the line; YAML is indented with spaces"
        } else if problem.hasPrefix("Maximum nesting level") {
          whole = "its lists and mappings are nested too deeply"
        }
        throw CellsFileError(path: path, line: mark.line, column: mark.column, message: "is not YAML: \(whole)")
      case .duplicatedKeysInMapping(let duplicates, let context):
        let keys = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
        throw CellsFileError(
          path: path, line: context.mark.line, column: context.mark.column, message: "has the key \(keys) twice")
      case .reader(let problem, let offset, _, _):
        let before = text.prefix(offset ?? 0).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        throw CellsFileError(
          path: path, line: before.count, column: (before.last?.unicodeScalars.count ?? 0) + 1,
          message: "is not YAML: \(problem)")
      default: throw CellsFileError(path: path, message: "is not YAML: \(error)")
      }
    } catch let error as SourceNode.Mistake {
      throw CellsFileError(
        path: path, line: error.position?.line, column: error.position?.column, message: error.reason)
    } catch {
      throw CellsFileError(path: path, message: "is not YAML: \(error)")
    }
  }

  private static func directory(of path: String) -> URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

  /// Calls `body` with the compiled program, which is valid during the call, and returns its result.
  ///
  /// - Throws: the errors of `body`, and `CellsFileError` for a pack that cannot be used.
  public func withProgram<Output>(_ body: (CellProgram) throws -> Output) throws -> Output {
    let parts = try parts()
    defer { withExtendedLifetime(parts) {} }
    let program: CellProgram
    do throws(CellError) { program = try CellProgram(ProgramArchive(parts)) } catch {
      // Another version of Galley has written the pack.
      throw CellsFileError(path: path, [error], source ?? .mapping([], nil))
    }
    return try body(program)
  }
}
