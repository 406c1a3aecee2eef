import ArgumentParser
import CellsFiles

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of cells files, with which editors complete and check them.",
    discussion: """
      Example: galley schema > galley.schema.json, and as the first line of a cells file:
      # yaml-language-server: $schema=galley.schema.json
      """)

  func run() throws {
    try Results.write(String(decoding: try CellSchema.encoded(), as: UTF8.self) + "\n")
  }
}

/// The help of `galley help cells [ELEMENT]`, which describes the format of cells files.
enum CellsHelp {
  /// Prints the help if the arguments request it. Returns whether they do.
  static func isShown(for arguments: [String]) throws -> Bool {
    guard arguments.count >= 2, arguments[0] == "help", arguments[1] == "cells" else { return false }
    guard arguments.count > 2 else {
      try Results.print(CellReference.help)
      return true
    }
    guard arguments.count == 3, let text = CellReference.help(of: arguments[2]) else {
      throw ValidationError(CellReference.unknownElement(arguments[2]))
    }
    try Results.print(text)
    return true
  }
}
