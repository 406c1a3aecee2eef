import ArgumentParser
import BatchLayout
import Buffers
import CellModels
import CellsFile
import Foundation

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

  @Argument(help: "Rows as JSON Lines; - for standard input.")
  var rows: String

  @Option(help: "The cells file, YAML or JSON.")
  var cells: String

  @Option(help: "Number of the row, from 0.")
  var row = 0

  @Flag var form = Form.ascii

  @OptionGroup var variants: VariantOptions

  func run() throws {
    let variant = try variants.variants()[0]
    let file = try CellsFile(cells)
    let line = try InspectCommand.line(of: row, in: rows)
    let inspection = try line.bytes.withUnsafeBufferPointer { bytes -> CellInspection in
      guard let start = bytes.baseAddress else { throw RunFailure(message: "the row is empty") }
      return try file.withProgram { program in
        do {
          let layout = try JobLayout(program, variants: [variant])
          return try layout.inspect(ByteString(start: start, count: bytes.count - JSONParser.padding))
        } catch let error as CellError {
          throw RunFailure(message: "\(rows):\(line.number): \(error.description)")
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

  /// The line that holds a row, with the room behind it that parsing needs.
  private static func line(of row: Int, in path: String) throws -> (bytes: [UInt8], number: Int) {
    let text: Data
    if path == "-" {
      text = FileHandle.standardInput.readDataToEndOfFile()
    } else {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw RunFailure(message: "\(path): cannot be read")
      }
      text = data
    }
    let bytes = [UInt8](text)
    let found = bytes.withUnsafeBufferPointer { buffer -> (bytes: [UInt8], number: Int)? in
      guard let start = buffer.baseAddress else { return nil }
      var lines = Lines(ByteString(start: start, count: buffer.count))
      var number = 0
      var passed = 0
      while let (line, _) = lines.next() {
        number += 1
        let content = number == 1 ? line.withoutByteOrderMark : line
        if content.isBlankLine { continue }
        if passed == row { return (Array(content.bytes), number) }
        passed += 1
      }
      return nil
    }
    guard let found else { throw RunFailure(message: "\(path): has no row \(row)") }
    return (found.bytes + [UInt8](repeating: 0, count: JSONParser.padding), found.number)
  }
}
