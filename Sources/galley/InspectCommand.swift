import ArgumentParser
import BatchLayout
import Buffers
import CellModels
import CellsFile
import LayoutPool

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show one cell: its layout spec, every element's result, or a picture.",
    discussion: "Example: galley inspect posts.jsonl --cells posts.yaml --width 390 --row 0 --svg > cell.svg")

  enum Form: String, EnumerableFlag {
    case ascii, tree, svg, json

    static func help(for form: Form) -> ArgumentHelp? {
      switch form {
      case .ascii: "Texture's box drawing of the layout spec (the default)."
      case .tree: "Every element with what it was asked and what came of it."
      case .svg: "A picture of the frames with names and the texts' lines."
      case .json: "Size and frames as JSON."
      }
    }
  }

  @Argument(help: "Rows as JSON Lines, perhaps compressed by gzip or zstd; - for standard input.")
  var rows: [String]

  @Option(help: "The cells file, YAML or JSON.")
  var cells: String

  @Option(help: "Number of the row, from 0.")
  var row = 0

  @Flag var form = Form.ascii

  @OptionGroup var variants: VariantOptions

  func run() throws {
    let variant = try variants.variants()[0]
    let file = try CellsFile(cells)
    let reader = try RowsReader(rows)
    guard row >= 0, let found = try reader.row(UInt64(row)) else {
      throw RunFailure(message: "\(reader.name): has no row \(row)")
    }
    let inspection = try found.padded.withUnsafeBufferPointer { bytes -> CellInspection in
      guard let start = bytes.baseAddress else { throw RunFailure(message: "the row is empty") }
      return try file.withProgram { program in
        do {
          let layout = try JobLayout(program, variants: [variant])
          return try layout.inspect(ByteString(start: start, count: found.count))
        } catch let error as CellError {
          throw RunFailure(message: "\(found.file):\(found.line): \(error.description)")
        }
      }
    }
    switch form {
    case .ascii: print(inspection.asciiArt)
    case .tree: print(inspection.tree)
    case .svg: print(CellPicture.svg(inspection))
    case .json: print(try CellPicture.json(inspection))
    }
  }
}
