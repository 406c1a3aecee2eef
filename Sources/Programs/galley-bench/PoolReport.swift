import BatchLayout
import Buffers
import CLinux
import CellTemplates
import Foundation
import LayoutEngine
import LayoutTables
import LoadTesting
import PoolClient
import RowsFiles
import ZeroMQ

/// The report of the processor time of a job in the coordinator, with workers that do no work.
enum PoolReport {
  private static let workers = 2
  /// The size of a row in bytes.
  private static let lineBytes = 400
  /// The number of merges. The first one can be several times as slow, because the system allocates its memory.
  private static let merges = 4
  /// The duration of short jobs in nanoseconds. A worker has eight of them at a time.
  private static let short: UInt64 = 50_000
  /// The duration of long jobs in nanoseconds. A worker has two of them at a time.
  private static let long: UInt64 = 3_000_000

  static func print() throws {
    Swift.print("\na job in the coordinator: CPU, µs per job   eight per worker    two per worker")
    for (name, jobBytes, jobs, isKept) in [
      ("no-op jobs (4 KiB)", 4 << 10, 20_000, false), ("64 KiB jobs", 64 << 10, 8_000, false),
      ("64 KiB jobs, kept in a spool", 64 << 10, 8_000, true),
    ] {
      let figures = try [short, long].map { duration in
        try measure(jobBytes: jobBytes, jobDuration: duration, jobs: jobs, isKept: isKept)
      }
      Swift.print(
        name.padding(toLength: 42, withPad: " ", startingAt: 0),
        String(format: "%17.1f %17.1f", figures[0], figures[1]))
    }
    Swift.print(
      "\nprepared columns through the coordinator and the merge to disk, MB/s          a loop that writes the same size"
    )
    for _ in 0..<merges {
      let (merged, plain) = try merge(rows: 7_000_000)
      Swift.print(String(format: "%77.0f %33.0f", merged, plain))
    }
  }

  /// Returns the processor time of a job in the coordinator in microseconds.
  private static func measure(jobBytes: Int, jobDuration: UInt64, jobs: Int, isKept: Bool) throws -> Double {
    try withPool(isKept: isKept, jobBytes: jobBytes, jobDuration: jobDuration, columns: ReadyColumns.empty) {
      client, coordinator, echoes in
      // With the first batch, the coordinator adapts the size of jobs.
      try run(client, lineBytes: lineBytes, bytes: jobBytes * 200)
      func sample() -> (time: Double, jobs: Int) {
        let time = ProcessStat(pid: coordinator.process.processIdentifier)?.seconds ?? 0
        return (time, echoes.reduce(0) { $0 + $1.jobs })
      }
      let before = sample()
      try run(client, lineBytes: lineBytes, bytes: jobBytes * jobs)
      let after = sample()
      return (after.time - before.time) / Double(after.jobs - before.jobs) * 1e6
    }
  }

  /// Returns the megabytes of columns per second from workers through the coordinator and the merge to the disk. Also
  /// returns those of a loop that writes the same number of bytes, because the speed of memory and disk varies between
  /// systems.
  private static func merge(rows: Int) throws -> (merged: Double, plain: Double) {
    let shortLine = 40
    return try withPool(isKept: false, jobBytes: 64 << 10, jobDuration: short, columns: ReadyColumns.photoPosts) {
      client, _, _ in
      try run(client, lineBytes: shortLine, bytes: 4 << 20)
      let directory = FileManager.default.temporaryDirectory.appending(path: "galley-bench-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let tables = try BatchTables(directory, variants: [("w390", 2)], types: ElementType.names)
      var received = 0
      let begin = ContinuousClock.now
      try run(client, lineBytes: shortLine, bytes: rows * shortLine) {
        rows, columns in
        received += columns.reduce(0) { $0 + $1.count }
        try tables.take(JobTable.checked(columns, rows: rows))
      }
      try tables.finish { _ in [] }
      let merged = Double(received) / begin.duration(to: .now).microseconds
      try FileManager.default.removeItem(atPath: directory)
      return (merged, try write(received, to: directory))
    }
  }

  /// Writes a number of bytes to a file. Returns the megabytes per second.
  private static func write(_ bytes: Int, to path: String) throws -> Double {
    let block = Data(repeating: 0x61, count: 1 << 20)
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let begin = ContinuousClock.now
    for _ in 0..<bytes / block.count { try file.write(contentsOf: block) }
    try file.synchronize()
    return Double(bytes) / begin.duration(to: .now).microseconds
  }

  /// Calls a function with a coordinator process, and workers and a client on threads of this process.
  private static func withPool<Result>(
    isKept: Bool, jobBytes: Int, jobDuration: UInt64, columns: @escaping ReadyColumns.Make,
    _ body: (BatchClient, PoolCoordinator, [EchoWorker]) throws -> Result
  ) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-bench-\(getpid())").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let endpoint = "ipc://\(directory)/pool"
    let coordinator = try PoolCoordinator(
      endpoint, jobDuration: jobDuration, spool: isKept ? directory + "/spool" : nil)
    defer { coordinator.end() }
    let cost = Double(jobDuration) / Double(jobBytes)
    let ready = ReadyColumns(columns)
    let echoes = try (0..<workers).map { _ in try EchoWorker(endpoint, cost: cost, columns: ready.columns) }
    for echo in echoes { Thread.detachNewThread { echo.run() } }
    defer { for echo in echoes { echo.stop() } }
    return try body(try BatchClient(try Context(), endpoint: endpoint), coordinator, echoes)
  }

  /// Submits a batch of a number of bytes and waits for its results.
  private static func run(
    _ client: BatchClient, lineBytes: Int, bytes: Int, take: BatchClient.Take = { _, _ in }
  ) throws {
    let request = BatchRequest(
      program: OwnedBytes(joining: ProgramArchive.parts(cells: [], faces: [])), variants: [Variant(width: 390)],
      input: "benchmark")
    let line = Array("{\"text\":\"".utf8) + [UInt8](repeating: 0x61, count: lineBytes - 12) + Array("\"}\n".utf8)
    let descriptor = galley_memory_file("rows")
    let file = FileHandle(fileDescriptor: descriptor)
    let block = Data((0..<1000).flatMap { _ in line })
    for _ in 0..<max(bytes / block.count, 1) { try file.write(contentsOf: block) }
    try file.seek(toOffset: 0)
    try client.run(
      request, rows: try RowsReader(descriptor: descriptor, name: "benchmark"), shouldStop: { false }, take: take)
    try client.complete()
  }
}
