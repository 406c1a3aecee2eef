import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// The place of the tables goes, or closes, while they are being made.
@Suite struct LostOutputTests {
  private let scratch = Scratch()
  private var output: String { scratch.path("place") }

  init() throws {
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
  }

  /// The directory in which the tables are made; nil before it is there.
  private var partial: String? {
    let names = try? FileManager.default.contentsOfDirectory(atPath: output)
    return names?.first { $0.hasPrefix("tables.partial-") }.map { "\(output)/\($0)" }
  }

  private func begin(_ batch: SlowBatch) throws -> (pool: Pool, client: Galley.Running) {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let client = try pool.submit(batch, "place/tables")
    try pool.waitForTheMiddle()
    return (pool, client)
  }

  @Test func aRunWhoseDirectoryIsRemovedFails() throws {
    let (pool, client) = try begin(try SlowBatch(scratch, rows: 200))
    try FileManager.default.removeItem(atPath: try #require(partial))
    let outcome = client.wait()
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasPrefix("galley: \(output)/tables") && outcome.errors.contains("No such file or directory"),
      "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: output).isEmpty)
    try eventually { try pool.state().batches.isEmpty }
  }

  /// Root may write everywhere, so it lays out without that power.
  @Test func aRunThatMayNoLongerWriteFails() throws {
    let cells = try scratch.file("cells.yaml", "version: 1\n")
    let arguments = ["layout", "-", "--cells", cells, "--width", "390", "--output", output + "/tables", "--in-process"]
    // Reads rows from a pipe that stays open until its place is closed.
    #expect(mkfifo(scratch.path("pipe"), 0o666) == 0)
    let command = ([Galley.program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let restriction = geteuid() == 0 ? "setpriv --bounding-set -dac_override " : ""
    let run = try Galley.start(
      ["-c", "exec \(restriction)\(command) <'\(scratch.path("pipe"))'"], executable: "/bin/sh")
    let pipe = try #require(FileHandle(forWritingAtPath: scratch.path("pipe")))
    // The first row shows what the input is.
    try pipe.write(contentsOf: Data("{}\n".utf8))
    try eventually { partial != nil || !run.process.isRunning }
    chmod(output, 0o555)
    defer { chmod(output, 0o755) }
    try pipe.close()
    let outcome = run.wait()
    #expect(outcome.code == 1)
    #expect(outcome.errors == "galley: \(output)/tables: Permission denied\n")
    #expect(!FileManager.default.fileExists(atPath: output + "/tables"))
  }
}
