import ArgumentParser
import Buffers
import CellsFiles
import Glibc
import LayoutTables
import Processes

struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Write a cells file and its fonts into one file, for machines without the fonts.",
    discussion: """
      The pack is used like the cells file: galley layout posts.jsonl --cells posts.galley …
      The same cells and fonts give the same bytes.

      Example: galley pack posts.yaml --output posts.galley
      """)

  @Argument(help: "The cells file, YAML or JSON.", completion: .file())
  var cells: String

  @Option(name: [.short, .long], help: "The pack to write, which must not exist.", completion: .file())
  var output: String

  @Flag(help: "Replace an earlier pack.")
  var force = false

  func validate() throws {
    guard !output.isEmpty, output != "-" else {
      throw ValidationError("a pack is written to a file; give its name to --output, such as posts.galley")
    }
  }

  func run() throws {
    // An interrupted pack leaves nothing behind.
    Interruption.catchSignals()
    try checkOutput()
    let file = try CellsFile(cells)
    let summary = try file.withProgram { PackSummary($0) }
    let program = try file.archive()
    let bytes = try write(head: file.packHead(of: program), program: program)
    try Results.print(summary.text(output, bytes: bytes))
  }

  /// Throws a `RunFailure` if something exists at the path that must not be replaced.
  private func checkOutput() throws {
    var status = stat()
    guard lstat(output, &status) == 0 else { return }
    guard force else {
      throw RunFailure(message: "\(output): exists already; choose another file, or replace it with --force")
    }
    guard stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFREG, CellsFile.isPack(output) else {
      throw RunFailure(message: "\(output): is not a pack, so that --force does not replace it; choose another file")
    }
  }

  /// Writes the pack and returns the number of its bytes.
  private func write(head: [UInt8], program: OwnedBytes) throws -> Int {
    let file = try ResultFile(output)
    try file.write(head)
    try program.withBytes { try file.write($0) }
    try Interruption.check()
    try file.complete()
    return head.count + program.count
  }
}
