import Testing
import ZeroMQ

@testable import PoolSecurity

/// Tests of the replies to authentication requests of ZeroMQ.
@Suite struct ZAPTests {
  private let known = keys(7)
  private let unknown = keys(8)

  /// Returns a key of 32 equal bytes.
  private static func keys(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: CurveKey.size) }

  private func request(_ key: [UInt8], version: String = "1.0", domain: String = "galley", mechanism: String = "CURVE")
    -> [[UInt8]]
  {
    [version, "17", domain, "::ffff:10.1.2.3", "", mechanism].map { Array($0.utf8) } + [key]
  }

  private func verdict(on request: [[UInt8]]) throws -> ZAP.Verdict {
    let known = try #require(CurveKey(bytes: known))
    return ZAP.verdict(on: request) { $0 == known }
  }

  private func reply(to request: [[UInt8]]) throws -> [String] {
    ZAP.reply(to: request, try verdict(on: request)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func anAllowedKeyIsAcceptedWithItsTextAsTheUserID() throws {
    let key = try #require(CurveKey(bytes: known))
    #expect(try verdict(on: request(known)) == .allowed(key))
    #expect(try reply(to: request(known)) == ["1.0", "17", "200", "OK", key.text, ""])
  }

  @Test func anUnknownKeyIsRefusedWithTheAddressOfItsPeer() throws {
    let key = try #require(CurveKey(bytes: unknown))
    #expect(try verdict(on: request(unknown)) == .refused(key, address: "10.1.2.3"))
    #expect(try reply(to: request(unknown)) == ["1.0", "17", "400", "this key is not allowed", "", ""])
  }

  @Test func unsupportedAndMalformedRequestsAreRefused() throws {
    let malformed = [
      [], [Array("1.0".utf8)], request(known, version: "2.0"), request(known, domain: "other"),
      request(known, mechanism: "NULL"), request(known, mechanism: "PLAIN"), request([]),
      request(Array(known.dropLast())),
      request(known + [0]), request(known) + [[]],
    ]
    for request in malformed {
      #expect(try verdict(on: request) == .notUnderstood)
      #expect(try reply(to: request)[2] == "500")
    }
  }
}

/// Tests of CURVE keys and their texts.
@Suite struct CurveKeyTests {
  @Test func theTextOfAKeyHasFortyCharacters() throws {
    let pair = try CurveKeyPair.random()
    #expect(CurveKey(pair.publicKey.text) == pair.publicKey)
    #expect(CurveKey(String(pair.publicKey.text.dropLast())) == nil)
    #expect(CurveKey(pair.publicKey.text.dropLast() + "\"") == nil)
    #expect(CurveKey("") == nil)
  }

  @Test func thePublicKeyIsDerivedFromTheSecretKey() throws {
    // The keys of the server in zmq_curve(7).
    let secret = try #require(CurveKey("JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"))
    #expect(try CurveKeyPair(secret: secret).publicKey.text == "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7")
    #expect(try CurveKeyPair.random().secret != CurveKeyPair.random().secret)
  }
}
