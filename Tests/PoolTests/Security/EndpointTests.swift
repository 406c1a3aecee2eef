import Foundation
import GalleyTestSupport
import Testing

@testable import PoolSecurity

/// Tests of the parsing of endpoints, and of their exposure to other machines and users.
@Suite struct EndpointTests {
  @Test(arguments: [
    "ipc:///run/galley/pool", "tcp://127.0.0.1:5555", "tcp://127.8.9.10:5555", "tcp://localhost:5555",
    "tcp://[::1]:5555",
    "tcp://127.0.0.1:*",
  ])
  func endpointsOfThisMachineAreLocal(text: String) { #expect(Endpoint(text)?.isLocal == true) }

  @Test(arguments: [
    "tcp://*:5555", "tcp://0.0.0.0:5555", "tcp://10.0.0.1:5555", "tcp://[::]:5555", "tcp://eth0:5555",
    "tcp://1270.0.0.1:1",
    "tcp://127.0.0.1.example.org:5555", "tcp://localhost.example.org:5555", "tcp://lo:5555",
  ])
  func endpointsThatOtherMachinesCanReachAreNotLocal(text: String) { #expect(Endpoint(text)?.isLocal == false) }

  @Test func keysApplyToEndpointsWithoutFilePermissions() {
    for text in ["tcp://127.0.0.1:5555", "tcp://host:99999", "ipc://@pool"] { #expect(Endpoint.usesKeys(text)) }
    for text in ["ipc:///run/galley/pool", "ipc://pool@host", "inproc://pool"] { #expect(!Endpoint.usesKeys(text)) }
    #expect(Endpoint("ipc://@pool") == .abstract(name: "pool"))
  }

  @Test(arguments: [
    "", "tcp://", "tcp://127.0.0.1", "tcp://:5555", "tcp://127.0.0.1:0", "tcp://127.0.0.1:65536", "udp://a:1",
    "inproc://a", "ipc://", "ipc://@",
  ])
  func malformedEndpointsAreRefused(text: String) { #expect(Endpoint(text) == nil) }

  @Test func aSocketThatEveryUserCanReachIsExposed() throws {
    let scratch = Scratch()
    let socket = try scratch.file("pool", "")
    func exposure(directory: Int, socket mode: Int) throws -> String? {
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: socket)
      try files.setAttributes([.posixPermissions: directory], ofItemAtPath: scratch.directory)
      return Endpoint("ipc://\(socket)")?.exposure
    }
    #expect(try exposure(directory: 0o755, socket: 0o777)?.contains("every user can connect") == true)
    #expect(try exposure(directory: 0o777, socket: 0o755)?.contains("another socket in the place") == true)
    #expect(try exposure(directory: 0o1777, socket: 0o755) == nil)
    #expect(try exposure(directory: 0o755, socket: 0o755) == nil)
    #expect(try exposure(directory: 0o750, socket: 0o777) == nil)
    #expect(try exposure(directory: 0o700, socket: 0o777) == nil)
  }
}
