import ArgumentParser
import Foundation
import ListTables
import Processes

/// A form in which a list's tables are exported.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case json, f32, csv, jsonl
  case textLines = "text-lines"
}

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the heights, frames or lines of a list in a form that programs without Arrow read.",
    discussion: """
      json        {"variant", "width", "ids": […], "heights": […]}
      f32         the heights as little-endian 32-bit floats, and nothing else
      csv         the columns of heights.arrow but the margins, with a header line
      jsonl       an object for each row, with its frames as an array
      text-lines  {"row", "node", "lines": […]} for each text, of a run with --lines

      Examples:
        galley export tables/w390 --format f32 --output heights.f32
        galley export tables/w390 --format jsonl | jq -c 'select(.id == "post-7")'
        galley export tables/w390 --uncertain 0.5
      """)

  @Argument(help: "The directory of the variant, such as tables/w390.", completion: .directory)
  var tables: String

  @Option(help: "The form of the export.")
  var format: ExportFormat?

  @Option(
    help: ArgumentHelp(
      "List the rows that have another number of lines if the space of a text changes by less than this length.",
      discussion: """
        Each is a JSON object with its margins. Rows whose lines depend on each other have none, and are left out.
        """,
      valueName: "points"))
  var uncertain: Double?

  @Option(help: "The file to write instead of standard output. It is replaced if it exists.", completion: .file())
  var output: String?

  func validate() throws {
    guard output != "", output != "-" else {
      throw ValidationError("--output is a file; leave it out for standard output")
    }
    if let uncertain {
      if format != nil { throw ValidationError("--uncertain has a form of its own; leave out --format") }
      guard uncertain > 0, uncertain.isFinite else {
        throw ValidationError("--uncertain is a length in points above 0, such as 0.5")
      }
    } else if format == nil {
      throw ValidationError("Missing expected argument '--format <format>'")
    }
    guard format == .f32, output == nil, StandardStream.output.isTerminal else { return }
    throw ValidationError("f32 is no text for a terminal; give it a file with --output, or redirect standard output")
  }

  func run() throws {
    // An interrupted export to a file leaves nothing behind.
    if let output {
      try InputFiles.check(output, of: "--output \(output)", replacesNoneOf: runFiles)
      Interruption.catchSignals()
    }
    var output = try ResultOutput(self.output)
    switch format {
    case .json: try ExportSource(tables).writeJSON(to: &output)
    case .f32: try ExportSource(tables).writeFloats(to: &output)
    case .csv: try ExportSource(tables).writeCSV(to: &output)
    case .jsonl: try MappedTables(tables).writeFrames(to: &output)
    case .textLines: try MappedTables(tables).writeTextLines(to: &output)
    case nil: try ExportSource(tables).writeUncertainRows(within: uncertain ?? 0, to: &output)
    }
    try output.finish()
  }

  /// The files of the run that is exported, those of its other variants included. An earlier export may lie beside them.
  private var runFiles: [String] {
    let run = VariantDirectory(tables).parent
    let directories = [run] + VariantDirectory.variants(in: run).map { "\(run)/\($0)" }
    return directories.flatMap { directory in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return names.filter { $0.hasSuffix(".arrow") || $0 == "manifest.json" }.map { "\(directory)/\($0)" }
    }
  }
}
