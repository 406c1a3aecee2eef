import Foundation
import GalleyTestSupport
import Glibc
import PoolCoordinator
import Testing
import ZeroMQ

/// Tests of the lock of an ipc endpoint, which protects sockets in use and files of others.
@Suite struct EndpointLockTests {
  private let scratch = Scratch()
  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  private func expectForeign(_ name: String) {
    let error = #expect(throws: ZeroMQError.self) { try EndpointLock(endpoint).release() }
    #expect(error?.description.contains("\(scratch.path(name)) is not of a coordinator and is not replaced") == true)
  }

  @Test func aFileAtThePathIsNotReplaced() throws {
    _ = try scratch.file("pool", "mine")
    expectForeign("pool")
    #expect(try String(contentsOfFile: scratch.path("pool"), encoding: .utf8) == "mine")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("pool.lock")))
  }

  @Test func linksDirectoriesAndPipesAtThePathAreNotReplaced() throws {
    _ = try scratch.file("target", "mine")
    try FileManager.default.createSymbolicLink(atPath: scratch.path("pool"), withDestinationPath: "target")
    expectForeign("pool")
    unlink(scratch.path("pool"))
    #expect(mkdir(scratch.path("pool"), 0o700) == 0)
    expectForeign("pool")
    rmdir(scratch.path("pool"))
    #expect(mkfifo(scratch.path("pool"), 0o600) == 0)
    expectForeign("pool")
  }

  @Test func aFileWithContentsBesideThePathIsNoLock() throws {
    _ = try scratch.file("pool.lock", "mine")
    expectForeign("pool.lock")
    #expect(try String(contentsOfFile: scratch.path("pool.lock"), encoding: .utf8) == "mine")
    unlink(scratch.path("pool.lock"))
    #expect(mkfifo(scratch.path("pool.lock"), 0o600) == 0)
    expectForeign("pool.lock")
    unlink(scratch.path("pool.lock"))
    try FileManager.default.createSymbolicLink(atPath: scratch.path("pool.lock"), withDestinationPath: "target")
    expectForeign("pool.lock")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("target")))
  }

  @Test func aSocketThatWasLeftIsReplacedAndOneInUseIsNot() throws {
    let context = try Context()
    var socket: Socket? = try Socket(.router, context)
    try socket?.bind(endpoint)
    // A killed coordinator leaves its socket and its lock file.
    let leftover = try EndpointLock(endpoint)
    #expect(throws: ZeroMQError(code: EADDRINUSE, operation: "another coordinator listens at \(endpoint)")) {
      try EndpointLock(endpoint)
    }
    leftover.release()
    socket = nil
    try EndpointLock(endpoint).release()
  }
}
