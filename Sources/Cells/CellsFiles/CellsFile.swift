import Buffers
import CellTemplates
import Foundation
import TextMeasuring
import Yams

/// A cells file that was read, checked and packed with its fonts into the program that workers receive.
public struct CellsFile {
  public let path: String
  /// The bytes of a `ProgramArchive`.
  public let archive: ByteBlock
  /// The warnings about what is allowed, but probably not meant.
  public let warnings: [CellWarning]
  /// The font files with their identities when they were read.
  let fontIdentities: [String: FileIdentity]
  /// The font files that were left out because they cannot be used.
  let unusableFontFiles: [String]
  private let source: SourceNode

  /// - Throws: `CellsFileError` for a file that is not readable, not YAML or JSON, or not a valid cells file, and for a
  ///   font that is missing or broken.
  public init(_ path: String) throws(CellsFileError) {
    try self.init(text: try Self.read(path), path: path)
  }

  /// Makes a cells file from a text instead of a file. Font files are relative to the directory of `path`.
  public init(text: String, path: String) throws(CellsFileError) {
    self.path = path
    let source = try Self.parse(text, path)
    self.source = source
    var found: [CellError]
    let fonts: FontPacking
    do throws(CellError) {
      guard !source.isEmpty else {
        throw CellError("is empty; a cells file has version: 1, fonts: and cells: (galley help cells)")
      }
      fonts = try FontPacking(source, directory: Self.directory(of: path))
      archive = try fonts.archive(of: source)
      found = fonts.mistakes + Self.mistakes(archive)
      if found.isEmpty { try Self.check(archive, fonts) }
      if found.isEmpty && source["version"] == nil {
        throw CellError("is missing; write version: \(CellProgram.version) at the top of the file", path: ["version"])
      }
    } catch {
      throw CellsFileError(path: path, [error], source)
    }
    guard found.isEmpty else { throw CellsFileError(path: path, found, source) }
    (fontIdentities, unusableFontFiles) = (fonts.identities, fonts.unusableFiles)
    warnings =
      fonts.warnings.map { Self.warning($0.path, $0.message, source) } + CellChecks(source).warnings
  }

  /// Returns a warning about a path such as `cells`, `PhotoCell`, `layout`.
  public func warning(_ path: [String], _ message: String) -> CellWarning { Self.warning(path, message, source) }

  private static func warning(_ path: [String], _ message: String, _ source: SourceNode) -> CellWarning {
    let position = source.position(of: path)
    return CellWarning(
      line: position?.line, column: position?.column, path: CellError.format(path), message: message,
      voidedByConstrainedSize: nil)
  }

  /// The font families that cells files can name on this machine.
  public static var installedFamilies: [String] { FontFinder().families }

  private static func read(_ path: String) throws(CellsFileError) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CellsFileError(path: path, message: "cannot be read: \(String(cString: strerror(errno)))")
    }
    // A pipe can be read only once.
    let data: Data
    do { data = try file.readToEnd() ?? Data() } catch {
      throw CellsFileError(path: path, message: "cannot be read; is it a file?")
    }
    return try text(data, path)
  }

  /// Returns the text of a cells file.
  static func text(_ data: Data, _ path: String) throws(CellsFileError) -> String {
    guard let text = String(data: data, encoding: .utf8) else {
      throw CellsFileError(path: path, message: "is not UTF-8")
    }
    // JSON may be indented with tabs, which YAML forbids. No JSON string contains a tab.
    return path.hasSuffix(".json") ? text.replacingOccurrences(of: "\t", with: " ") : text
  }

  private static func parse(_ text: String, _ path: String) throws(CellsFileError) -> SourceNode {
    do {
      return try SourceNode(yaml: text)
    } catch let error as YamlError {
      switch error {
      case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
        .composer(let context, let problem, let mark, _):
        var whole = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if mark.line <= lines.count, mark.line > 0, lines[mark.line - 1].prefix(mark.column).contains("\t") {
          whole = "a tab indents the line; YAML is indented with spaces"
        }
        throw CellsFileError(path: path, line: mark.line, column: mark.column, message: "is not YAML: \(whole)")
      case .duplicatedKeysInMapping(let duplicates, let context):
        let keys = duplicates.map { "\"\($0)\"" }.joined(separator: ", ")
        throw CellsFileError(
          path: path, line: context.mark.line, column: context.mark.column, message: "has the key \(keys) twice")
      default: throw CellsFileError(path: path, message: "is not YAML: \(error)")
      }
    } catch let error as SourceNode.TooLarge {
      throw CellsFileError(path: path, message: error.limit)
    } catch {
      throw CellsFileError(path: path, message: "is not YAML: \(error)")
    }
  }

  private static func directory(of path: String) -> URL { URL(fileURLWithPath: path).deletingLastPathComponent() }

  /// Opens the fonts of the program as a worker does.
  private static func check(_ archive: ByteBlock, _ fonts: FontPacking) throws(CellError) {
    let result = withProgram(archive) { (program) throws(CellError) in try fonts.check(program) }
    try result.get()
  }

  private static func mistakes(_ archive: ByteBlock) -> [CellError] {
    archive.withBytes { bytes in
      do throws(CellError) { return CellProgram.mistakes(in: try ProgramArchive(bytes)) } catch { return [error] }
    }
  }

  /// Compiles an archive, and calls `body` with the program, which is valid during the call.
  private static func withProgram<Output>(
    _ archive: ByteBlock, _ body: (CellProgram) throws(CellError) -> Output
  ) -> Result<Output, CellError> {
    archive.withBytes { bytes in
      Result { () throws(CellError) in try body(CellProgram(ProgramArchive(bytes))) }
    }
  }

  /// Calls `body` with the compiled program, which is valid during the call, and returns its result.
  ///
  /// - Throws: the errors of `body`.
  public func withProgram<Output>(_ body: (CellProgram) throws -> Output) throws -> Output {
    try Self.withProgram(archive) { program in Result { try body(program) } }.get().get()
  }
}
