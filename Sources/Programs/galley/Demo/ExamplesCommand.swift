import ArgumentParser
import Foundation

/// The example cells files and rows, which are embedded in the program.
enum Examples {
  static let files: [(name: String, bytes: [UInt8])] = [
    ("posts.yaml", PackageResources.posts_yaml), ("posts.jsonl", PackageResources.posts_jsonl),
    ("products.yaml", PackageResources.products_yaml), ("products.jsonl", PackageResources.products_jsonl),
    ("kittens.yaml", PackageResources.kittens_yaml), ("kittens.jsonl", PackageResources.kittens_jsonl),
    ("asdkgram.yaml", PackageResources.asdkgram_yaml), ("asdkgram.jsonl", PackageResources.asdkgram_jsonl),
    ("social.yaml", PackageResources.social_yaml), ("social.jsonl", PackageResources.social_jsonl),
    ("catdeals.yaml", PackageResources.catdeals_yaml), ("catdeals.jsonl", PackageResources.catdeals_jsonl),
    ("asdktube.yaml", PackageResources.asdktube_yaml), ("asdktube.jsonl", PackageResources.asdktube_jsonl),
    ("specs.yaml", PackageResources.specs_yaml), ("specs.jsonl", PackageResources.specs_jsonl),
    ("shop.yaml", PackageResources.shop_yaml), ("shop.jsonl", PackageResources.shop_jsonl),
  ]
}

struct ExamplesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "examples", abstract: "Write the example cells files and rows into a directory.",
    discussion: "Example: galley examples examples")

  @Argument(help: "The directory, which is created if it does not exist.")
  var directory: String

  func run() throws {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for (name, bytes) in Examples.files {
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
