import ArgumentParser
import CellTemplates
import CellsFiles
import Processes
import RowsFiles

/// A form of the style sheet.
enum StyleSheetFormat: String, ExpressibleByArgument, CaseIterable { case css, json }

extension TextScaleUnit: ExpressibleByArgument {}

struct CSSCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "css",
    abstract: "Write the style sheet with which a page's texts have the heights of the platform web.",
    discussion: """
      The sheet has an @font-face for each font, and a class for each font and for each text, such as .PostCell-text.
      With rows, the fonts have only the characters of these rows and those of --keep.

      Examples:
        galley css posts.yaml --fonts fonts > posts.css
        galley css posts.yaml posts.jsonl --fonts fonts --keep latin,emoji > posts.css
        galley css posts.yaml --format json
      """)

  @Argument(help: "The cells file, YAML or JSON, or a pack of galley pack.", completion: .file())
  var cells: String

  @Argument(
    help: "Files of rows as JSON Lines, optionally compressed with gzip or zstd, or - for standard input.",
    completion: .file())
  var rows: [String] = []

  @Option(
    help: "The directory for the fonts as WOFF2 files, which is created if it does not exist.", completion: .directory)
  var fonts: String?

  @Option(
    help: ArgumentHelp(
      "The URL of the directory of the fonts in the style sheet. (default: the last name of --fonts, or fonts)",
      valueName: "url"))
  var fontURL: String?

  @Option(
    help: ArgumentHelp(
      "Scripts whose characters the fonts also keep where rows are given, such as latin,cyrillic,emoji.",
      valueName: "scripts"),
    transform: { $0.split(separator: ",").map { $0.lowercased() } })
  var keep: [String] = []

  @Option(help: "The form of the style sheet: CSS, or values for React Native, SwiftUI and Compose.")
  var format = StyleSheetFormat.css

  @Option(
    help: "What font sizes grow with: the variable --text-scale (px), or the font size of the page (rem). (default: px)"
  )
  var unit: TextScaleUnit?

  func validate() throws {
    if fonts == "" { throw ValidationError("--fonts is the directory for the fonts, such as site/fonts") }
    if !rows.isEmpty, fonts == nil {
      throw ValidationError("rows choose the characters of the fonts; give the directory for these to --fonts")
    }
    if format == .json, unit != nil || fontURL != nil {
      throw ValidationError("--format json has numbers and names of files; leave out --unit and --font-url")
    }
    if !keep.isEmpty, rows.isEmpty {
      throw ValidationError("--keep adds characters to those of rows; give the rows, or leave out --keep")
    }
  }

  func run() throws {
    // An interrupted run leaves no incomplete font behind.
    if fonts != nil { Interruption.catchSignals() }
    let file = try CellsFile(cells)
    try file.withProgram { program in
      let characters = rows.isEmpty ? nil : try pageCharacters(program)
      let sheet = StyleSheet(program, characters: characters)
      if let fonts { try write(sheet.faces, of: program, file, characters, to: fonts) }
      try print(sheet)
      let notes = format == .css ? sheet.notes : sheet.valueNotes
      for note in notes { warn(file.warning(note.path, note.message)) }
    }
  }

  private func print(_ sheet: StyleSheet) throws {
    switch format {
    case .css:
      let name = Self.lastName(of: cells)
      try Results.write(sheet.css(name: name, fontURL: directoryURL, unit: unit ?? .px))
    case .json: try Results.print(sheet.values, [.prettyPrinted, .withoutEscapingSlashes])
    }
  }

  /// The URL of the directory of the fonts with a slash at its end.
  private var directoryURL: String {
    let url = fontURL ?? fonts.map(Self.lastName) ?? "fonts"
    return url.isEmpty || url.hasSuffix("/") ? url : url + "/"
  }

  private static func lastName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private func pageCharacters(_ program: CellProgram) throws -> Set<UInt32> {
    var characters = PageCharacters()
    characters.add(json: program.written)
    try RowsReader(rows).forEachRow { row, _ in
      characters.add(json: row)
      try Interruption.check()
    }
    for script in keep where !characters.keep(script, of: program.faces) {
      throw ValidationError(
        "--keep \(script): no font of \(cells) has characters of this script; its names are those of Unicode, such as latin, "
          + "han and devanagari, and emoji")
    }
    return characters.all
  }

  private func warn(_ warning: CellWarning) {
    let place = location(in: cells, line: warning.line, column: warning.column)
    Messages.warning("\(place): \(warning.path): \(warning.message)")
  }
}
