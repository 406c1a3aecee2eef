import ArgumentParser
import Foundation
import HTTPServing
import LayoutTables

struct ExamplesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "examples", abstract: "Write the example cells files and rows into a directory.",
    discussion: "Example: galley examples examples")

  @Argument(help: "The directory, which is created if it does not exist.", completion: .directory)
  var directory: String

  func run() throws {
    let files = try Self.files().map { (path: "\(directory)/\($0.name)", bytes: $0.bytes) }
    try ResultDirectory.create(directory, for: "the examples")
    // Whatever else is at a path is kept, also what cannot be read, and no file is written beside it.
    for (path, bytes) in files where OutputFile.read(path, limit: bytes.count, followsLinks: true) != bytes {
      guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
        throw RunFailure(
          message: "\(path): is there with other contents; give another directory, or remove the file")
      }
    }
    for (path, bytes) in files { try ResultFile.write(bytes, to: path) }
    for (path, _) in files { try Results.write("\(path)\n") }
  }

  /// Returns the files. The cells file of the demo depends on the installed fonts.
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    EmbeddedFiles.files(in: "Programs/galley/Examples") + [
      ("demo.yaml", Array(try DemoFonts.cellsFile().utf8)), ("demo.jsonl", (0..<100).flatMap { DemoFeed.row($0) }),
    ]
  }
}
