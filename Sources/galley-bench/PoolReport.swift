import CellModels
import BatchLayout
import CLinux
import Foundation
import LayoutPool
import LayoutTables
import LoadTest
import PoolMessages
import Synchronization
import ZeroMQ

/// What a job costs the coordinator, with workers that answer without doing anything.
enum PoolReport {
  private static let workers = 2
  private static let lineBytes = 400

  static func print() throws {
    guard let program = GalleyProgram.find(for: "pool") else { return }
    Swift.print("\na job in the coordinator                    jobs   CPU, µs a job   jobs/s")
    for (name, jobBytes, jobs, isKept) in [
      ("no-op jobs (4 KiB)", 4 << 10, 20_000, false), ("64 KiB jobs", 64 << 10, 8_000, false),
      ("64 KiB jobs, kept in a spool", 64 << 10, 8_000, true),
    ] {
      let result = try measure(program, jobBytes: jobBytes, jobs: jobs, isKept: isKept)
      Swift.print(
        name.padding(toLength: 38, withPad: " ", startingAt: 0),
        String(format: "%9d %15.1f %8.0f", result.jobs, result.processorTime / Double(result.jobs) * 1e6, result.rate))
    }
  }

  private static func measure(
    _ program: URL, jobBytes: Int, jobs: Int, isKept: Bool
  ) throws -> (jobs: Int, processorTime: Double, rate: Double) {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("galley-bench-\(getpid())").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let endpoint = "ipc://\(directory)/pool"
    let coordinator = Process()
    coordinator.executableURL = program
    coordinator.arguments =
      ["coordinator", "--listen", endpoint] + (isKept ? ["--spool", directory + "/spool"] : [])
    try coordinator.run()
    defer {
      coordinator.terminate()
      coordinator.waitUntilExit()
    }
    let echoes = try (0..<workers).map { _ in try EchoWorker(endpoint, jobBytes: jobBytes) }
    for echo in echoes { Thread.detachNewThread { echo.run() } }
    defer { for echo in echoes { echo.stop() } }
    let client = try BatchClient(try Context(), endpoint: endpoint)
    let request = BatchRequest(
      program: ProgramArchive.encode(cells: [], faces: []) { _, _ in }, variants: [Variant(width: 390)],
      input: "benchmark")
    // The first batch finds out how large jobs are to be.
    try run(client, request, bytes: jobBytes * 200)
    let before = (
      time: (ProcessStat(pid: coordinator.processIdentifier)?.seconds ?? 0), jobs: echoes.reduce(0) { $0 + $1.jobs },
      ContinuousClock.now
    )
    try run(client, request, bytes: jobBytes * jobs)
    let seconds = before.2.duration(to: .now).microseconds / 1e6
    let done = echoes.reduce(0) { $0 + $1.jobs } - before.jobs
    return (done, (ProcessStat(pid: coordinator.processIdentifier)?.seconds ?? 0) - before.time, Double(done) / seconds)
  }

  private static func run(_ client: BatchClient, _ request: BatchRequest, bytes: Int) throws {
    let line = Array("{\"text\":\"".utf8) + [UInt8](repeating: 0x61, count: lineBytes - 12) + Array("\"}\n".utf8)
    let descriptor = galley_memory_file("rows")
    let file = FileHandle(fileDescriptor: descriptor)
    let block = Data((0..<1000).flatMap { _ in line })
    for _ in 0..<max(bytes / block.count, 1) { try file.write(contentsOf: block) }
    try file.seek(toOffset: 0)
    try client.run(
      request, rows: try RowsReader(descriptor: descriptor, name: "benchmark"), shouldStop: { false }, take: { _, _ in }
    )
    try client.complete()
  }
}

/// Answers every job at once with rows of no size.
private final class EchoWorker: Sendable {
  private let socket: Mutex<Socket>
  private let jobBytes: Int
  private let count = Atomic<Int>(0)
  private let announced = Atomic<UInt64>(0)
  private let isStopped = Atomic<Bool>(false)

  init(_ endpoint: String, jobBytes: Int) throws {
    let socket = try Socket(.dealer, try Context())
    try socket.connect(endpoint)
    self.socket = Mutex(socket)
    self.jobBytes = jobBytes
  }

  var jobs: Int { count.load(ordering: .relaxed) }
  func stop() { isStopped.store(true, ordering: .relaxed) }

  func run() {
    socket.withLock { socket in
      var hello = PoolToCoordinator()
      hello.worker.hello.version = Version.current
      hello.worker.hello.credit = 2
      _ = try? socket.send([Frame(copying: Envelope.encode(hello))])
      while !isStopped.load(ordering: .relaxed) {
        guard (try? socket.wait(milliseconds: 100)) == true else { continue }
        var job = Self.receive(socket)
        while let (message, lines) = job {
          job = Self.receive(socket)
          answer(message, lines, next: job?.0, socket)
        }
      }
    }
  }

  private static func receive(_ socket: Socket) -> (PoolToWorker.Job, Frame)? {
    while let parts = (try? socket.receive()) ?? nil {
      let envelope = parts[0].withBytes { Envelope.decode(PoolToWorker.self, $0) }
      if case .job(let job)? = envelope?.message, let lines = parts.last { return (job, lines) }
    }
    return nil
  }

  /// Says what a worker says: when a job begins, unless the last result told, and its result.
  private func answer(_ job: PoolToWorker.Job, _ lines: Frame, next: PoolToWorker.Job?, _ socket: Socket) {
    if job.job != announced.load(ordering: .relaxed) {
      var started = PoolToCoordinator()
      started.worker.started = .with { ($0.job, $0.attempt) = (job.job, job.attempt) }
      _ = try? socket.send([Frame(copying: Envelope.encode(started))])
    }
    var result = PoolToCoordinator()
    result.worker.result.job = job.job
    result.worker.result.attempt = job.attempt
    result.worker.result.rows = job.rows
    // As if jobs of the wanted size took as long as they should.
    result.worker.result.duration = UInt64(lines.count) * 25_000_000 / UInt64(jobBytes)
    if let next {
      result.worker.result.next = .with { ($0.job, $0.attempt) = (next.job, next.attempt) }
      announced.store(next.job, ordering: .relaxed)
    }
    _ = try? socket.send([Frame(copying: Envelope.encode(result)), Self.columns(rows: Int(job.rows))])
    count.add(1, ordering: .relaxed)
  }

  private static func columns(rows: Int) -> Frame {
    var columns = JobColumns()
    for row in 0..<rows { columns.appendBadRow(id: "\(row)", error: "") }
    return Frame(columns)
  }
}
