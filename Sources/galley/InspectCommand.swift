import ArgumentParser
import BatchLayout
import CellModels
import CellsFile
import LayoutPool

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show one cell: its layout spec, every element's result, or a picture.",
    discussion: "Example: galley inspect posts.jsonl --cells posts.yaml --width 320,390 --row post-7 --svg > cell.svg")

  enum Form: String, EnumerableFlag {
    case ascii, tree, svg, json

    static func help(for form: Form) -> ArgumentHelp? {
      switch form {
      case .ascii: "Texture's box drawing of the layout spec (the default)."
      case .tree: "Every element with what it was asked and what came of it."
      case .svg: "A picture of the frames with names and the texts' lines, all widths side by side."
      case .json: "Size, frames and what does not fit as JSON; an array for several widths."
      }
    }
  }

  @Argument(help: "Rows as JSON Lines; - for standard input.")
  var rows: String

  @Option(help: "The cells file, YAML or JSON.")
  var cells: String

  @Option(help: "Number of the row, from 0, or its id.")
  var row = "0"

  @Flag var form = Form.ascii

  @OptionGroup var variants: VariantOptions

  func run() throws {
    let variants = try variants.variants()
    let file = try CellsFile(cells)
    let reader = try RowsReader(rows)
    let (line, inspected) = try file.withProgram { program -> (UInt64, [CellInspection]) in
      let layout = try JobLayout(program, variants: variants)
      let row = try RowSelection.rows([row], of: reader) { layout.id(of: $0) }[0]
      return (row.line, row.withBytes { bytes in variants.indices.map { layout.inspect(bytes, variant: $0) } })
    }
    try show(inspected)
    if report(inspected, "\(reader.name):\(line)") { throw ExitCode(ExitStatus.badRows) }
  }

  // MARK: Output

  private func show(_ cells: [CellInspection]) throws {
    switch form {
    case .ascii: InspectionText.show(cells) { InspectionText.ascii($0) }
    case .tree: InspectionText.show(cells) { InspectionText.tree($0) }
    case .svg: print(InspectionSVG.document(cells))
    case .json: print(try InspectionDocument.json(cells))
    }
  }

  /// Writes what is wrong with a row, once for all widths in which it is the same; returns whether anything is.
  private func report(_ cells: [CellInspection], _ place: String) -> Bool {
    var reported: Set<String> = []
    for cell in cells {
      guard let error = cell.error, reported.insert(error.description).inserted else { continue }
      Program.write("\(place): \(error.description)\n")
    }
    return !reported.isEmpty
  }
}
