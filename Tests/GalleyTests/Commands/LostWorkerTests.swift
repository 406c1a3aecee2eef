import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of workers that send nothing, for some time or for ever.
@Suite struct LostWorkerTests {
  private let scratch = Scratch()

  /// A script that forwards connections to a port and prints the port at which it listens.
  private static let proxy = """
    import socket, sys, threading

    def forward(source, target):
        while data := source.recv(65536):
            target.sendall(data)

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], file=sys.stderr, flush=True)
    while True:
        near = listener.accept()[0]
        far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        for ends in [(near, far), (far, near)]:
            threading.Thread(target=forward, args=ends, daemon=True).start()
    """

  /// The connection stays open but transfers nothing, as with an unplugged cable.
  @Test func theJobsOfAnUnreachableWorkerAreAssignedToOthers() throws {
    let batch = try SlowBatch(scratch)
    let pool = try Pool(scratch, ["--job-deadline", "1"], at: "tcp://127.0.0.1:*")
    let port = try #require(pool.endpoint.split(separator: ":").last.map(String.init))
    let link = try pool.start(["-c", Self.proxy, port], executable: "/usr/bin/python3")
    try eventually { link.errorsSoFar.hasSuffix("\n") }
    let end = link.errorsSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
    try pool.startWorker(at: "tcp://127.0.0.1:\(end)")
    let client = try pool.submit(batch, "tables")
    try pool.waitUntilPartlyDone()
    link.signal(SIGSTOP)
    try pool.startWorker()
    client.wait().expectSuccess()
    #expect(try scratch.tables("tables") == batch.expected())
    try eventually { try pool.state().workers.count == 1 }
  }

  /// Other workers repeat its jobs at the end of the batch, and its own results arrive too late.
  @Test func aStoppedAndContinuedWorkerDoesNotChangeTheTables() throws {
    let batch = try SlowBatch(scratch, rows: 200)
    let pool = try Pool(scratch)
    let worker = try pool.startWorker()
    let client = try pool.submit(batch, "first")
    try pool.waitUntilPartlyDone()
    worker.signal(SIGSTOP)
    try pool.startWorker()
    client.wait().expectSuccess()
    let second = try pool.submit(batch, "second")
    worker.signal(SIGCONT)
    #expect(second.wait().code == 0)
    let expected = try batch.expected()
    #expect(try scratch.tables("first") == expected)
    #expect(try scratch.tables("second") == expected)
    try eventually { try pool.state().workers.count == 2 }
  }
}
