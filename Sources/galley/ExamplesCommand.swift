import ArgumentParser
import Foundation

/// The example cells files and rows, which are part of the program.
enum Examples {
  static let files: [(name: String, bytes: [UInt8])] = [
    ("posts.yaml", PackageResources.posts_yaml), ("posts.jsonl", PackageResources.posts_jsonl),
    ("products.yaml", PackageResources.products_yaml), ("products.jsonl", PackageResources.products_jsonl),
  ]
}

struct ExamplesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "examples", abstract: "Write the example cells files and rows into a directory.",
    discussion: "Example: galley examples examples")

  @Argument(help: "The directory; made if it is not there.")
  var directory: String

  func run() throws {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for (name, bytes) in Examples.files {
        try Data(bytes).write(to: URL(fileURLWithPath: directory).appendingPathComponent(name))
        print("\(directory)/\(name)")
      }
    } catch {
      throw RunFailure(message: "\(directory): \(error.localizedDescription)")
    }
  }
}
