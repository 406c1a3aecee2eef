import ArgumentParser
import CellsFiles
import Foundation

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of cells files, for completion and checks in editors.",
    discussion: """
      Example: galley schema > galley.schema.json, and as the first line of a cells file:
      # yaml-language-server: $schema=galley.schema.json
      """)

  func run() throws {
    FileHandle.standardOutput.write(try CellSchema.encoded())
    print()
  }
}

/// `galley help cells [ELEMENT]`: the cells format, which is no verb.
enum CellsHelp {
  /// Prints the help if the arguments ask for it.
  static func isShown(for arguments: [String]) throws -> Bool {
    guard arguments.count >= 2, arguments[0] == "help", arguments[1] == "cells" else { return false }
    guard arguments.count > 2 else {
      print(CellReference.help)
      return true
    }
    guard arguments.count == 3, let text = CellReference.help(of: arguments[2]) else {
      throw ValidationError(CellReference.unknownElement(arguments[2]))
    }
    print(text)
    return true
  }
}
