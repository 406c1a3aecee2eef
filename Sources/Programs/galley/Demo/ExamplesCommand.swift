import ArgumentParser
import Foundation
import HTTPServing

struct ExamplesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "examples", abstract: "Write the example cells files and rows into a directory.",
    discussion: "Example: galley examples examples")

  @Argument(help: "The directory, which is created if it does not exist.")
  var directory: String

  func run() throws {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for (name, bytes) in EmbeddedFiles.files(in: "Programs/galley/Examples") {
        try Data(bytes).write(to: URL(fileURLWithPath: directory).appendingPathComponent(name))
        try Results.print("\(directory)/\(name)")
      }
      // The cells file of the demo depends on the installed fonts.
      try DemoFonts.cellsFile().write(toFile: "\(directory)/demo.yaml", atomically: true, encoding: .utf8)
      try DemoFeed().write(rows: 100, to: "\(directory)/demo.jsonl")
      for name in ["demo.yaml", "demo.jsonl"] { try Results.print("\(directory)/\(name)") }
    } catch let error as RunFailure {
      throw error
    } catch {
      throw RunFailure(message: "\(directory): \(error.localizedDescription)")
    }
  }
}
