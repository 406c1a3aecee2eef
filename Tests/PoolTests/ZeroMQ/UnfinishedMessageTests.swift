import Glibc
import Testing

@testable import ZeroMQ

/// Tests of a router that receives the parts of a message without an end.
@Suite struct UnfinishedMessageTests {
  /// A tcp connection that sends bytes as ZMTP 3.1 without libzmq (rfc.zeromq.org/spec/37).
  private final class RawPeer {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private static let greeting: [UInt8] =
      [0xff] + [UInt8](repeating: 0, count: 8) + [0x7f, 3, 0] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 48)
    private static let ready: [UInt8] =
      [4, 28, 5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
      + Array("DEALER".utf8)

    init(port: UInt16) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      #expect(connected == 0)
      send(Self.greeting + Self.ready)
    }

    deinit { close(descriptor) }

    /// Sends a part of a message.
    func sendPart(_ size: Int, isLast: Bool) {
      let length = withUnsafeBytes(of: UInt64(size).bigEndian) { Array($0) }
      send([isLast ? 2 : 3] + length + [UInt8](repeating: 1, count: size))
    }

    private func send(_ bytes: [UInt8]) {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        sent += count
      }
    }

    /// Whether the other side ends the connection within ten seconds.
    var isEnded: Bool {
      var bytes = [UInt8](repeating: 0, count: 1024)
      for _ in 0..<1000 {
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count == 0 || (count < 0 && errno != EAGAIN) { return true }
        usleep(10_000)
      }
      return false
    }
  }

  @Test func aConnectionThatNeverEndsItsMessageIsEnded() throws {
    let router = try Socket(.router, try Context())
    let endpoint = try router.bind("tcp://127.0.0.1:*")
    let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
    let limit = 4 << 20
    #expect(router.endConnections(holdingMoreThan: limit).isEmpty)
    let good = RawPeer(port: port)
    for _ in 0..<8 { good.sendPart(1 << 20, isLast: true) }
    for _ in 0..<8 {
      #expect(try router.wait(milliseconds: 10_000))
      #expect(try router.receive()?.count == 2)
    }
    let bad = RawPeer(port: port)
    for _ in 0..<8 { bad.sendPart(1 << 20, isLast: false) }
    var ended: [Int] = []
    for _ in 0..<1000 where ended.isEmpty {
      ended = router.endConnections(holdingMoreThan: limit)
      if ended.isEmpty { usleep(10_000) }
    }
    #expect(ended.count == 1 && ended.allSatisfy { $0 > limit })
    #expect(bad.isEnded)
    good.sendPart(10, isLast: true)
    #expect(try router.wait(milliseconds: 10_000))
  }
}
