import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of an output directory that is removed, or becomes read-only, while tables are written to it.
@Suite struct LostOutputTests {
  private let scratch = Scratch()
  private var output: String { scratch.path("parent") }

  init() throws {
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
  }

  /// The directory of the incomplete tables, or nil if it does not exist yet.
  private var partial: String? {
    let names = try? FileManager.default.contentsOfDirectory(atPath: output)
    return names?.first { $0.hasPrefix("tables.galley-partial-") }.map { "\(output)/\($0)" }
  }

  /// Starts a run and waits until it has written some tables.
  private func begin(_ batch: SlowBatch) throws -> (pool: Pool, client: Galley.Running) {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let client = try pool.submit(batch, "parent/tables")
    try pool.waitUntilPartlyDone()
    return (pool, client)
  }

  @Test func aRunWhoseOutputDirectoryIsRemovedFails() throws {
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

  /// Root can write to read-only directories, so the run has no such capability.
  @Test func aRunWhoseOutputDirectoryBecomesReadOnlyFails() throws {
    let cells = try scratch.file("cells.yaml", "version: 1\n")
    let arguments = ["layout", "-", "--cells", cells, "--width", "390", "--output", output + "/tables", "--in-process"]
    // The run reads rows from a pipe that stays open until the directory is read-only.
    #expect(mkfifo(scratch.path("pipe"), 0o666) == 0)
    let command = ([Galley.program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let restriction = geteuid() == 0 ? "setpriv --bounding-set -dac_override " : ""
    let run = try Galley.start(
      ["-c", "exec \(restriction)\(command) <'\(scratch.path("pipe"))'"], executable: "/bin/sh")
    let pipe = try #require(FileHandle(forWritingAtPath: scratch.path("pipe")))
    // The first row determines the format of the input.
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
