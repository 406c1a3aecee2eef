import Foundation
import Glibc
import Testing

@testable import PoolSecurity
@testable import ZeroMQ

/// Tests of the private directory that has the socket of a coordinator.
@Suite struct PrivateDirectoryTests {
  @Test func theDirectoryIsPrivateAndRemovedWithItsObject() throws {
    var path = ""
    do {
      let directory = try PrivateDirectory()
      path = directory.path
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      let socket = try Socket(.router, try Context())
      _ = try socket.listen(at: [directory.endpoint], try Context(), authenticator: nil)
      #expect(FileManager.default.fileExists(atPath: path + "/coordinator"))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// The directories of running processes, and those with other files, are not removed.
  @Test func directoriesOfEndedProcessesAreRemovedWhenTheNextIsCreated() throws {
    let living = try PrivateDirectory()
    let parent = URL(fileURLWithPath: living.path).deletingLastPathComponent().path
    // They have other names until they are whole: every process that makes such a directory removes leftovers.
    let prepared = (leftover: "\(parent)/\(UUID().uuidString)", foreign: "\(parent)/\(UUID().uuidString)")
    for path in [prepared.leftover, prepared.foreign] { #expect(mkdir(path, 0o700) == 0) }
    // The file of a socket remains after its process is killed.
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(prepared.leftover)/coordinator".utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    close(socket)
    #expect(FileManager.default.createFile(atPath: prepared.foreign + "/coordinator", contents: Data()))
    let leftover = "\(parent)/\(PrivateDirectory.prefix)\(UUID().uuidString.prefix(6))"
    let foreign = "\(parent)/\(PrivateDirectory.prefix)\(UUID().uuidString.prefix(6))"
    #expect(rename(prepared.leftover, leftover) == 0 && rename(prepared.foreign, foreign) == 0)
    defer { try? FileManager.default.removeItem(atPath: foreign) }

    let next = try PrivateDirectory()
    #expect(!FileManager.default.fileExists(atPath: leftover))
    #expect(FileManager.default.fileExists(atPath: foreign + "/coordinator"))
    #expect(FileManager.default.fileExists(atPath: living.path))
    #expect(next.path != living.path)
  }
}
