import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Workers that are there but not heard of, for a while or for good.
@Suite struct LostWorkerTests {
  private let scratch = Scratch()

  /// Forwards connections to a port; prints where it listens.
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

  /// Its connection stays open, as when a cable is pulled, but nothing comes through any more.
  @Test func theJobsOfAWorkerOnACutLinkGoToOthers() throws {
    let batch = try SlowBatch(scratch)
    let pool = try Pool(scratch, ["--job-deadline", "1"], at: "tcp://127.0.0.1:*")
    let port = try #require(pool.endpoint.split(separator: ":").last.map(String.init))
    let link = try pool.start(["-c", Self.proxy, port], executable: "/usr/bin/python3")
    try eventually { link.errorsSoFar.hasSuffix("\n") }
    let end = link.errorsSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
    try pool.startWorker(at: "tcp://127.0.0.1:\(end)")
    let client = try pool.submit(batch, "tables")
    try pool.waitForTheMiddle()
    link.signal(SIGSTOP)
    try pool.startWorker()
    let outcome = client.wait()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scratch.tables("tables") == batch.expected())
    try eventually { try pool.state().workers.count == 1 }
  }

  /// Others do its jobs over again at the end of the batch; what it answers to them when it goes on is late.
  @Test func aWorkerThatStopsAndGoesOnChangesNothing() throws {
    let batch = try SlowBatch(scratch, rows: 200)
    let pool = try Pool(scratch)
    let worker = try pool.startWorker()
    let client = try pool.submit(batch, "first")
    try pool.waitForTheMiddle()
    worker.signal(SIGSTOP)
    try pool.startWorker()
    let outcome = client.wait()
    #expect(outcome.code == 0, "\(outcome.errors)")
    let second = try pool.submit(batch, "second")
    worker.signal(SIGCONT)
    #expect(second.wait().code == 0)
    let expected = try batch.expected()
    #expect(try scratch.tables("first") == expected)
    #expect(try scratch.tables("second") == expected)
    try eventually { try pool.state().workers.count == 2 }
  }
}
